import { Tally, TallyError } from '../../lib/imports/import-tally.ts';
import type { ImportedData, ImportSource } from '../../lib/imports/imported-data.ts';
import type { ImportRoom } from '../../lib/imports/schemas.ts';
import { findTakenDay, type ImportTarget, sendImport } from '../../lib/imports/send-import.ts';
import { openExportFiles } from './export-files.ts';
import type { Reader } from './export-reader.ts';
import { readGa4 } from './ga4.ts';
import { ImportProblem } from './import-problem.ts';
import { dayReader } from './local-day.ts';
import { readPlausible } from './plausible.ts';
import { showProgress } from './show-progress.ts';
import { readUmami } from './umami.ts';

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

const READERS: Record<ImportSource, Reader> = {
  plausible: readPlausible,
  umami: readUmami,
  'ga4-csv': readGa4,
};
const DAY_MS = 86_400_000;

/**
 * Imports an export; with `dryRun` it only reports what it would import. It reads and validates everything before it writes. Returns a
 * text for the operator.
 *
 * @throws ImportProblem, and the errors of the target
 */
export async function runImport(target: ImportTarget, run: ImportRun): Promise<string> {
  const room = await target.list();
  const { files, close } = await openExportFiles(run.paths);
  let rows = 0;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const progress = showProgress(run.terminal, { bytes, rows: () => rows });
  try {
    const tally = new Tally(windowOf(room, run));
    const notes = await READERS[run.source]({
      files,
      domain: room.domain,
      domains: room.domains,
      timezone: room.timezone,
      tally,
      tomorrow: dayReader(room.timezone)(run.now + DAY_MS),
      progress,
    });
    const data = tally.toData(run.source);
    rows = data.rows;
    await checkDays(target, room, data);
    const told = describe(data, tally, room, notes);
    if (run.dryRun) return `${told}\nNothing was written: this was a dry run.`;
    const { id } = await sendImport(target, data, progress.onWritten);
    return `${told}\nImported as ${id}. To undo it: npm run import -- --undo --site ${run.siteId} --import ${id}`;
  } catch (error) {
    throw error instanceof TallyError ? new ImportProblem({ file: 'the export' }, error.message) : error;
  } finally {
    progress.done();
    close();
  }
}

function windowOf({ from: oldest, before: end }: ImportRoom, { fromDay, toDay }: ImportRun) {
  const after = toDay === undefined ? end : dayAfter(toDay);
  const starts = [oldest, fromDay].filter((day) => day !== null && day !== undefined).sort();
  return { from: starts.at(-1) ?? null, end: after < end ? after : end };
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

async function checkDays(
  target: ImportTarget,
  { before, imports }: ImportRoom,
  { days }: ImportedData,
): Promise<void> {
  const place = { file: 'the export' };
  if (days.length === 0)
    throw new ImportProblem(
      place,
      `has no day that can be imported: only days before ${before} can, within the options and the site's policy`,
    );
  const day = await findTakenDay(target, imports, days);
  if (day !== undefined)
    throw new ImportProblem(
      place,
      `has days that were imported before, the first one ${day}: undo that import first, or leave them out by --from-day and --to-day`,
    );
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function describe(
  data: ImportedData,
  tally: Tally,
  { before }: ImportRoom,
  notes: readonly string[],
): string {
  const { days, dimensions, rows } = data;
  const sum = (figure: 'visitors' | 'visits' | 'hits') => days.reduce((total, day) => total + day[figure], 0);
  const passed = [...tally.passedDays].sort();
  return [
    `${count(days.length, 'day')} from ${days[0]?.day} to ${days.at(-1)?.day}, ${count(rows, 'row')}`,
    `${sum('visits')} visits, ${sum('hits')} page views, ${sum('visitors')} visitors added up by day`,
    `lists: ${dimensions.join(', ') || 'none'}`,
    ...(passed.length === 0
      ? []
      : [
          `skipped: ${count(passed.length, 'day')} from ${passed[0]} to ${passed.at(-1)} (imported are days before ${before}, within the options and the policy)`,
        ]),
    ...notes.map((note) => `left out: ${note}`),
  ].join('\n');
}
