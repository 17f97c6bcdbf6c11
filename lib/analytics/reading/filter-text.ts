/** What a filter asks for, as text in an address (docs/reports.md#filters). The reports and the dashboard share it. */

/** `is`: has one of the values. `not`: has none of them. `contains`: has one that contains one of them, in upper or lower case. */
export interface FilterValue {
  operator: 'is' | 'not' | 'contains';
  values: readonly string[];
}

export const SIGNS = { is: '', not: '!', contains: '~' } as const;

/** Reads `a|b`, `!a|b` or `~a|b`. A `\` before `|`, `!`, `~` or `\` means the character itself. Values may be empty. */
export function readFilter(filter: string): FilterValue {
  const operator = filter.startsWith(SIGNS.not)
    ? 'not'
    : filter.startsWith(SIGNS.contains)
      ? 'contains'
      : 'is';
  const values = [''];
  for (const [part, meant] of filter.slice(SIGNS[operator].length).matchAll(/\\([|!~\\])|./gsu))
    if (part === '|') values.push('');
    else values.push(`${values.pop()}${meant ?? part}`);
  return { operator, values };
}

/** The text that `readFilter` reads as the same filter. */
export function writeFilter({ operator, values }: FilterValue): string {
  return SIGNS[operator] + values.map((value) => value.replace(/^[!~]|[|\\]/g, '\\$&')).join('|');
}
