/** Reads the export of another tool and checks it, before anything is sent. */

import type { ImportedData, ImportSource } from '../../visits/imported-data.ts';
import { Tally, TallyError } from '../import-tally.ts';
import type { ImportRoom } from '../schemas.ts';
import { findTakenDay, type ImportTarget } from '../send-import.ts';
import type { ExportFile } from './export-file.ts';
import type { Reader, ReadProgress } from './export-reader.ts';
import { readGa4 } from './ga4.ts';
import { ImportProblem } from './import-problem.ts';
import { dayReader } from './local-day.ts';
import { readPlausible } from './plausible.ts';
import { readUmami } from './umami.ts';

export interface ExportToRead {
  source: ImportSource;
  files: readonly ExportFile[];
  /** Both inclusive. */
  fromDay?: string | undefined;
  toDay?: string | undefined;
  /** Epoch milliseconds. */
  now: number;
  progress: ReadProgress;
}

export interface ReadExport {
  data: ImportedData;
  /** Days of the export that aren't imported, sorted. */
  passedDays: readonly string[];
  /** What was left out, in sentences. */
  notes: readonly string[];
}

const READERS: Record<ImportSource, Reader> = {
  plausible: readPlausible,
  umami: readUmami,
  'ga4-csv': readGa4,
};
const DAY_MS = 86_400_000;

/** Throws ImportProblem, and the errors of the target. */
export async function readExport(
  target: Pick<ImportTarget, 'get'>,
  room: ImportRoom,
  { source, files, now, progress, ...days }: ExportToRead,
): Promise<ReadExport> {
  const tally = new Tally(windowOf(room, days));
  try {
    const { domain, domains, timezone } = room;
    const tomorrow = dayReader(timezone)(now + DAY_MS);
    const notes = await READERS[source]({ files, domain, domains, timezone, tally, tomorrow, progress });
    const data = tally.toData(source);
    await checkDays(target, room, data);
    return { data, passedDays: [...tally.passedDays].sort(), notes };
  } catch (error) {
    throw error instanceof TallyError ? new ImportProblem({ file: 'the export' }, error.message) : error;
  }
}

function windowOf(
  { from: oldest, before: end }: ImportRoom,
  { fromDay, toDay }: Pick<ExportToRead, 'fromDay' | 'toDay'>,
) {
  const after = toDay === undefined ? end : dayAfter(toDay);
  const starts = [oldest, fromDay].filter((day) => day !== null && day !== undefined).sort();
  return { from: starts.at(-1) ?? null, end: after < end ? after : end };
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

async function checkDays(
  target: Pick<ImportTarget, 'get'>,
  { before, imports }: ImportRoom,
  { days }: ImportedData,
): Promise<void> {
  const location = { file: 'the export' };
  if (days.length === 0)
    throw new ImportProblem(
      location,
      `has no day that can be imported: only days before ${before} can, within the options and the site's policy`,
    );
  const day = await findTakenDay(target, imports, days);
  if (day !== undefined)
    throw new ImportProblem(
      location,
      `has days that were imported before, the first one ${day}: undo that import first, or leave them out by --from-day and --to-day`,
    );
}
