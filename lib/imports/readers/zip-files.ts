/** The CSV files in ZIP archives. */
import { unzipRaw, type ZipEntry } from 'unzipit';
import { type ExportFile, isCsvName, tellName } from './export-file.ts';
import { ImportProblem } from './import-problem.ts';

const MAGIC = 'PK\u0003\u0004';
/** Stored as it is, and deflated. */
const METHODS: readonly number[] = [0, 8];
/** An export has ten files; a folder may contain others. */
const MAX_ENTRIES = 2000;

export async function isZip(file: Blob): Promise<boolean> {
  return (await file.slice(0, MAGIC.length).text()) === MAGIC;
}

/**
 * The CSV files of an archive, read by its directory. One that inflates to another size than the directory states fails while it is read.
 *
 * @throws ImportProblem if it is no archive, or one of another kind
 */
export async function filesOfZip(archive: Blob, name: string): Promise<ExportFile[]> {
  const entries = await readDirectory(archive).catch(() => {
    throw new ImportProblem({ file: tellName(name) }, 'is not a valid ZIP archive');
  });
  return entries
    .filter((entry) => isCsvName(baseName(entry.name)) && !entry.name.startsWith('__MACOSX/'))
    .map((entry) => ({
      name: baseName(entry.name),
      size: entry.size,
      open: async () => chunksOf(await entry.stream()),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

async function readDirectory(archive: Blob): Promise<ZipEntry[]> {
  const { entries } = await unzipRaw(archive);
  if (entries.length > MAX_ENTRIES) throw new Error('too many entries');
  for (const { name, encrypted, compressionMethod } of entries) {
    if (encrypted || !METHODS.includes(compressionMethod)) throw new Error('an entry of another kind');
    if (name.startsWith('/') || name.split(/[/\\]/).includes('..'))
      throw new Error('a path that leads elsewhere');
  }
  return entries;
}

/** Not every browser can loop over a stream. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
