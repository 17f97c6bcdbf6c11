/** Makes a function that puts a number in front of the form of a noun that goes with it. */
export const plural = (language: string) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, shown: string, one: string, other: string): string =>
    `${shown} ${rules.select(count) === 'one' ? one : other}`;
};
