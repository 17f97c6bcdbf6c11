/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

export type Cell = string | number | boolean | null;

/** Characters that start a formula in a spreadsheet; the last four are full-width. */
const FORMULA = '[=+\\-@＝＋－＠]';
/**
 * Where a formula could begin. Some spreadsheets separate cells by `;` or a tab, whatever we write. They find our quotes only at the start of
 * their own cells, and may drop white space before a formula.
 */
const FORMULA_STARTS = new RegExp(`(^|[;\\t\\r\\n])([\\s"]*)(?=${FORMULA})`, 'gu');
const SPECIAL = /[",\r\n]/;

/** One record with its line end. Each text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay unchanged. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = cell.replace(FORMULA_STARTS, "$1$2'");
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
