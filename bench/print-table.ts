/** A figure with its baseline. */
export interface Row {
  /** The measured quantity. */
  what: string;
  figure: string;
  /** Name and figure of the baseline, from the same run unless it says otherwise. */
  baseline?: string;
  ratio?: string;
  aim?: string;
}

const HEADS: Required<Row> = {
  what: '',
  figure: 'figure',
  baseline: 'baseline',
  ratio: 'ratio',
  aim: 'aim',
};
const NUMBERS = new Set<keyof Row>(['figure', 'ratio']);

/** Prints rows with aligned columns, without empty columns. `heads` replaces the default headings. */
export function printTable(title: string, rows: readonly Row[], heads: Partial<Row> = {}): void {
  const columns = (Object.keys(HEADS) as (keyof Row)[]).filter((column) => rows.some((row) => row[column]));
  const lines = [{ ...HEADS, ...heads }, ...rows].map((row) => columns.map((column) => row[column] ?? ''));
  printLines(title, lines, (at) => NUMBERS.has(columns[at] ?? 'what'));
}

/** Prints lines with equal numbers of cells in aligned columns. The first line has the headings. */
export function printLines(
  title: string,
  lines: readonly string[][],
  isNumber: (at: number) => boolean,
): void {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const pad = (cell: string, at: number): string => {
    const width = widths[at] ?? 0;
    return isNumber(at) ? cell.padStart(width) : cell.padEnd(width);
  };
  console.log(`\n${title}`);
  for (const line of lines) console.log(`  ${line.map(pad).join('   ').trimEnd()}`);
}

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const whole = (value: number): string => NUMBER.format(value);
export const perSecond = (value: number): string => `${whole(value)}/s`;
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
export const times = (factor: number, digits = 1): string => `${factor.toFixed(digits)}x`;
