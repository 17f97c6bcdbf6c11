/** Comma-separated values by RFC 4180, safe to open in a spreadsheet. */

export type Cell = string | number | boolean | null;

/** What a spreadsheet takes for a formula, or drops to find one behind it; the last four are full-width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const SPECIAL = /[",\r\n]/;

/** A record with its line end. A text that a spreadsheet would run gets an apostrophe before it; numbers are left alone. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
