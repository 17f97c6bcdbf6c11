/** A package with the list of ISO 4217. */
export interface Source {
  name: string;
  version: string;
  /** When the version was published. */
  date: string;
  licence: string;
  /** The file with the list. */
  file: string;
  sha256: string;
}

const ENTRY = /\bcode: "([A-Z]{3})",\s*base: (\d+),\s*exponent: (\d+)\b/g;
const FEWEST = 150;

/**
 * Decimals by code. A currency whose minor unit isn't a tenth, a hundredth and so on has two decimals, as ISO 4217 lists it.
 *
 * @throws if the text has fewer entries than the list can have
 */
export function readCurrencies(text: string): Map<string, number> {
  const entries = [...text.matchAll(ENTRY)].map(
    ([, code = '', base, exponent]) => [code, base === '10' ? Number(exponent) : 2] as const,
  );
  if (entries.length < FEWEST) throw new Error(`The list has only ${entries.length} currencies.`);
  return new Map(entries);
}

/** The module with the list. A comment above it names its source. */
export function renderCurrencies(
  digits: ReadonlyMap<string, number>,
  { name, version, date, licence }: Source,
): string {
  const groups = Map.groupBy([...digits].sort(), ([, decimals]) => decimals);
  const lines = [...groups]
    .sort(([a], [b]) => a - b)
    .map(([decimals, entries]) => `  ${decimals}: '${entries.map(([code]) => code).join(' ')}',\n`);
  return `/**
 * Written by \`npm run currencies\`: the currencies of ISO 4217 by their number of decimals.
 * From ${name} ${version} (${date}), ${licence}.
 */
export const CURRENCIES: Readonly<Record<number, string>> = {
${lines.join('')}};
`;
}
