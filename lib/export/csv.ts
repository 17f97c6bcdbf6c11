/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

export type Cell = string | number | boolean | null;

/** Characters that start a formula in a spreadsheet, or that a spreadsheet drops before a formula; the last four are full-width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const SPECIAL = /[",\r\n]/;

/** One record with its line end. Text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay unchanged. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
