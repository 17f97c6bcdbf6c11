import type { Ports } from '../../lib/context.ts';
import { Tally, TallyError } from '../../lib/imports/import-tally.ts';
import type { ImportedData, ImportSource } from '../../lib/imports/imported-data.ts';
import { importedDays } from '../../lib/imports/imported-days.ts';
import { type ImportRoom, readImportRoom } from '../../lib/imports/read-import-room.ts';
import { writeImport } from '../../lib/imports/write-import.ts';
import { openExportFiles } from './export-files.ts';
import type { Reader } from './export-reader.ts';
import { readGa4 } from './ga4.ts';
import { ImportProblem } from './import-problem.ts';
import { dayReader } from './local-day.ts';
import { readPlausible } from './plausible.ts';
import { type Progress, showProgress } from './show-progress.ts';
import { readUmami } from './umami.ts';

export interface ImportRun {
  siteId: string;
  source: ImportSource;
  paths: readonly string[];
  fromDay?: string | undefined;
  toDay?: string | undefined;
  dryRun: boolean;
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
 * @throws ImportProblem, and the errors of `readImportRoom` and `writeImport`
 */
export async function runImport(ctx: Ports, run: ImportRun): Promise<string> {
  const room = await readImportRoom(ctx, run.siteId);
  const { files, close } = await openExportFiles(run.paths);
  let rows = 0;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const progress = showProgress(run.terminal, { bytes, rows: () => rows });
  try {
    const tally = new Tally(windowOf(room, run));
    const notes = await READERS[run.source]({
      files,
      domain: room.domain,
      timezone: room.timezone,
      tally,
      tomorrow: dayReader(room.timezone)(ctx.now() + DAY_MS),
      progress,
    });
    const data = tally.toData(run.source);
    rows = data.rows;
    await checkDays(ctx, run, room, data);
    const told = describe(data, tally, room, notes);
    if (run.dryRun) return `${told}\nNothing was written: this was a dry run.`;
    const id = await write(ctx, run, data, progress);
    return `${told}\nImported as ${id}. To undo it: npm run import -- --undo --site ${run.siteId} --import ${id}`;
  } catch (error) {
    throw error instanceof TallyError ? new ImportProblem({ file: 'the export' }, error.message) : error;
  } finally {
    progress.done();
    close();
  }
}

const write = (
  ctx: Ports,
  { siteId }: ImportRun,
  data: ImportedData,
  { onWritten }: Progress,
): Promise<string> => writeImport(ctx, { siteId, data, onRows: onWritten });

function windowOf({ oldest, end }: ImportRoom, { fromDay, toDay }: ImportRun) {
  const after = toDay === undefined ? end : dayAfter(toDay);
  const starts = [oldest, fromDay].filter((day) => day !== null && day !== undefined).sort();
  return { from: starts.at(-1) ?? null, end: after < end ? after : end };
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

async function checkDays(
  ctx: Ports,
  { siteId }: ImportRun,
  { end }: ImportRoom,
  { days }: ImportedData,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  const place = { file: 'the export' };
  if (first === undefined || last === undefined)
    throw new ImportProblem(
      place,
      `has no day that can be imported: only days before ${end} can, within the options and the site's policy`,
    );
  const taken = await importedDays(ctx, { siteId, from: first.day, to: last.day });
  const day = days.find(({ day }) => taken.has(day))?.day;
  if (day !== undefined)
    throw new ImportProblem(
      place,
      `has days that were imported before, the first one ${day}: undo that import first, or leave them out by --from-day and --to-day`,
    );
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function describe(data: ImportedData, tally: Tally, { end }: ImportRoom, notes: readonly string[]): string {
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
          `skipped: ${count(passed.length, 'day')} from ${passed[0]} to ${passed.at(-1)} (imported are days before ${end}, within the options and the policy)`,
        ]),
    ...notes.map((note) => `left out: ${note}`),
  ].join('\n');
}
