/** Loaded when a person has chosen files: reads an export in the browser, and sends its sums. */

import type { ExportFile } from '../../../lib/imports/readers/export-file.ts';
import { ImportProblem } from '../../../lib/imports/readers/import-problem.ts';
import { type ReadExport, readExport } from '../../../lib/imports/readers/read-export.ts';
import { chunksOf, filesOfZip, isZip } from '../../../lib/imports/readers/zip-files.ts';
import { type ImportTarget, sendImport } from '../../../lib/imports/send-import.ts';
import type { ImportSource } from '../../../lib/visits/imported-data.ts';
import type { Import, ImportRoom } from '../api/operations.generated.ts';

export { ImportProblem };

/** A page has less memory than the command, and an event of Umami's export needs several times its size. */
const MAX_BYTES = 256 * 1024 ** 2;
const MAX_PROBLEMS = 20;
/** A frame is over after this time. */
const WORK_MS = 12;
const PART_BYTES = 32 * 1024;

export interface ChosenExport {
  source: ImportSource;
  files: readonly File[];
  fromDay?: string;
  toDay?: string;
}

/** Faults of an export, one a row at most. `isAll` is false if there may be more. */
export class ImportProblems extends Error {
  override readonly name = 'ImportProblems';
  readonly problems: readonly ImportProblem[];
  readonly isAll: boolean;

  constructor(problems: readonly ImportProblem[], isAll: boolean) {
    super('The export has faults.');
    this.problems = problems;
    this.isAll = isAll;
  }
}

export interface Watch {
  signal: AbortSignal;
  /** From 0 to 1. */
  onShare: (share: number) => void;
}

/** Throws ImportProblems, and the errors of the target. */
export async function readFiles(
  target: ImportTarget,
  room: ImportRoom,
  { source, files: chosen, fromDay, toDay }: ChosenExport,
  watch: Watch,
): Promise<ReadExport> {
  const problems: ImportProblem[] = [];
  const pause = pauses(watch.signal);
  let bytes = 0;
  try {
    const files = await openFiles(chosen, pause);
    const all = files.reduce((sum, { size }) => sum + size, 0);
    if (all > MAX_BYTES)
      throw new ImportProblem(
        { file: 'the export' },
        `has more than ${MAX_BYTES / 1024 ** 2} MiB: use the command`,
      );
    const progress = {
      pause,
      onBytes: (more: number) => {
        bytes += more;
        watch.onShare(all === 0 ? 1 : bytes / all);
      },
      onProblem: (problem: ImportProblem) => {
        problems.push(problem);
        if (problems.length === MAX_PROBLEMS) throw new ImportProblems(problems, false);
      },
    };
    const read = await readExport(target, room, { source, files, fromDay, toDay, now: Date.now(), progress });
    if (problems.length > 0) throw new ImportProblems(problems, true);
    return read;
  } catch (error) {
    watch.signal.throwIfAborted();
    if (!(error instanceof ImportProblem)) throw error;
    // What the whole lacks may be in the rows that have faults.
    throw new ImportProblems(
      problems.length > 0 && error.location.line === undefined ? problems : [...problems, error],
      true,
    );
  }
}

/** Sends what was read, and finishes the import. */
export function sendRead(target: ImportTarget, { data }: ReadExport, watch: Watch): Promise<Import> {
  let rows = 0;
  return sendImport(target, data, (more) => {
    rows += more;
    watch.onShare(rows / data.rows);
  });
}

async function openFiles(chosen: readonly File[], pause: () => Promise<void>): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  for (const file of chosen) {
    if (await isZip(file)) files.push(...(await filesOfZip(file, file.name)));
    else files.push({ name: file.name, size: file.size, open: async () => chunksOf(file.stream()) });
  }
  if (files.length === 0) throw new ImportProblem({ file: 'the export' }, 'has no CSV file');
  return files.map((file) => ({ ...file, open: async () => inParts(await file.open(), pause) }));
}

/** Small parts, with pauses in which the page answers: no worker may run here. */
async function* inParts(chunks: AsyncIterable<Uint8Array>, pause: () => Promise<void>) {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PART_BYTES) {
      await pause();
      yield chunk.subarray(at, at + PART_BYTES);
    }
  }
}

/** Lets other tasks run if the work since the last pause took long. A timer would wait for a second in a tab behind others. */
function pauses(signal: AbortSignal): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let since = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - since < WORK_MS) return;
    await new Promise<void>((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
    since = performance.now();
  };
}
