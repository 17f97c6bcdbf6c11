/** A budget leaves room: from this share on, whoever builds is warned. */
const NEARLY_FULL = 0.95;

/** How much of a budget is used: `3602 of 4000`, with a warning where little or nothing is left. */
export function describeUse(used: number, most: number, show: (amount: number) => string = String): string {
  const warning =
    used > most ? ' (over its budget)' : used > NEARLY_FULL * most ? ' (warning: over 95 %)' : '';
  return `${show(used)} of ${show(most)}${warning}`;
}
