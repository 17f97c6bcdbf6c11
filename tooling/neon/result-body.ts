import type { Statement } from './parse-work.ts';
import type { Result } from './run-work.ts';

/** A result in the driver's format: `{fields, rows, command, rowCount, rowAsArray}`, every value text or null. */
export function resultBody({ fields, rows, command, rowCount }: Result, { arrayMode }: Statement): object {
  return {
    fields,
    rows: arrayMode
      ? rows
      : rows.map((row) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i]]))),
    command: command ?? '',
    rowCount,
    rowAsArray: arrayMode,
  };
}
