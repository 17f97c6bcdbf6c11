import { type Tally, TallyError } from '../import-tally.ts';
import type { ExportFile } from './export-file.ts';
import { ImportProblem } from './import-problem.ts';
import { type Row, readTable, type TableOptions } from './read-table.ts';

export interface ReaderInput {
  files: readonly ExportFile[];
  domain: string;
  /** Further domains of the site. */
  domains: readonly string[];
  /** The time zone of the site. */
  timezone: string;
  /** Sums the rows. */
  tally: Tally;
  /** The first day that can't have been counted yet. */
  tomorrow: string;
  progress: ReadProgress;
}

export interface ReadProgress {
  onFile?: (file: ExportFile) => void;
  onBytes?: (bytes: number) => void;
  onRow?: () => void;
  /** Lets a page answer between pieces of work that isn't reading. */
  pause?: () => Promise<void>;
  /** Gets the problem of a row, and the reading goes on behind it. Without this the first one is thrown. */
  onProblem?: (problem: ImportProblem) => void;
}

/** Reads an export into a tally. Returns sentences about what was left out. */
export type Reader = (input: ReaderInput) => Promise<string[]>;

/** Reads one file of an export. A row that can't be summed becomes a problem with its location. */
export async function readRows(
  { progress }: ReaderInput,
  file: ExportFile,
  options: Omit<TableOptions, 'onBytes'>,
  onRow: (row: Row) => void,
): Promise<void> {
  progress.onFile?.(file);
  await readTable(file, { ...options, ...(progress.onBytes && { onBytes: progress.onBytes }) }, (row) => {
    progress.onRow?.();
    const problem = row instanceof ImportProblem ? row : problemOf(row, onRow);
    if (problem === undefined) return;
    if (progress.onProblem === undefined) throw problem;
    progress.onProblem(problem);
  });
}

function problemOf(row: Row, onRow: (row: Row) => void): ImportProblem | undefined {
  try {
    onRow(row);
    return undefined;
  } catch (error) {
    if (error instanceof ImportProblem) return error;
    if (error instanceof TallyError) return row.problem(error.message);
    throw error;
  }
}

/** Requires columns of a header. */
export function demand(
  wanted: readonly string[],
  header: readonly string[],
  problem: (rule: string) => ImportProblem,
): void {
  const missing = wanted.filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw problem(`${missing.length > 1 ? 'columns are' : 'a column is'} missing: ${missing.join(', ')}`);
}

/** Validates a date of the export. Returns whether its rows count. */
export function takesDay({ tally, tomorrow }: ReaderInput, row: Row, day: string, column: string): boolean {
  if (day >= tomorrow) throw row.problem('must not be a day in the future', column);
  return tally.takes(day);
}

/** Every day of a list must also be in the totals. */
export function demandTotals({ tally }: ReaderInput, where: string): void {
  const day = tally.findDayWithoutTotals();
  if (day !== undefined)
    throw new ImportProblem({ file: where }, `has no totals of ${day}, which the lists have`);
}
