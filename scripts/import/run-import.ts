import { type ReadExport, readExport } from '../../lib/imports/readers/read-export.ts';
import type { ImportRoom } from '../../lib/imports/schemas.ts';
import { type ImportTarget, sendImport } from '../../lib/imports/send-import.ts';
import type { ImportSource } from '../../lib/visits/imported-data.ts';
import { openExportFiles } from './export-files.ts';
import { showProgress } from './show-progress.ts';

export interface ImportRun {
  siteId: string;
  source: ImportSource;
  paths: readonly string[];
  fromDay?: string | undefined;
  toDay?: string | undefined;
  dryRun: boolean;
  /** Epoch milliseconds. */
  now: number;
  /** The stream for progress. */
  terminal: { isTTY?: boolean; write: (text: string) => unknown };
}

/**
 * Imports an export; with `dryRun` it only reports what it would import. It reads and validates everything before it writes. Returns a
 * text for the operator.
 *
 * @throws ImportProblem, and the errors of the target
 */
export async function runImport(target: ImportTarget, run: ImportRun): Promise<string> {
  const room = await target.list();
  const files = await openExportFiles(run.paths);
  let rows = 0;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const progress = showProgress(run.terminal, { bytes, rows: () => rows });
  try {
    const read = await readExport(target, room, { ...run, files, progress });
    rows = read.data.rows;
    const summary = describe(read, room);
    if (run.dryRun) return `${summary}\nNothing was written: this was a dry run.`;
    const { id } = await sendImport(target, read.data, progress.onWritten);
    return `${summary}\nImported as ${id}. To undo it: npm run import -- --undo --site ${run.siteId} --import ${id}`;
  } finally {
    progress.done();
  }
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function describe({ data, passedDays, notes }: ReadExport, { before }: ImportRoom): string {
  const { days, dimensions, rows } = data;
  const sum = (figure: 'visitors' | 'visits' | 'hits') => days.reduce((total, day) => total + day[figure], 0);
  return [
    `${count(days.length, 'day')} from ${days[0]?.day} to ${days.at(-1)?.day}, ${count(rows, 'row')}`,
    `${sum('visits')} visits, ${sum('hits')} page views, ${sum('visitors')} visitors added up by day`,
    `lists: ${dimensions.join(', ') || 'none'}`,
    ...(passedDays.length === 0
      ? []
      : [
          `skipped: ${count(passedDays.length, 'day')} from ${passedDays[0]} to ${passedDays.at(-1)} (imported are days before ${before}, within the options and the policy)`,
        ]),
    ...notes.map((note) => `left out: ${note}`),
  ].join('\n');
}
