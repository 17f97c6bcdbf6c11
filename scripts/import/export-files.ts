import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openPromise, type ZipFile } from 'yauzl';
import { type ExportFile, isCsvName, tellName } from '../../lib/imports/readers/export-file.ts';
import { ImportProblem } from '../../lib/imports/readers/import-problem.ts';

export interface ExportFiles {
  files: ExportFile[];
  close: () => void;
}

/** An export has ten files; a folder may contain others. */
const MAX_FILES = 200;
const MAX_ENTRIES = 2000;
/** Size after inflating. Limits archives that inflate from few bytes to many. */
const MAX_BYTES = 8 * 1024 ** 3;
const ZIP_MAGIC = 'PK\u0003\u0004';

/**
 * The CSV files of the given paths: files, folders of files, ZIP archives.
 *
 * @throws ImportProblem if there are none or too many
 */
export async function openExportFiles(paths: readonly string[]): Promise<ExportFiles> {
  const archives: ZipFile[] = [];
  const close = () => {
    for (const archive of archives) archive.close();
  };
  try {
    const files: ExportFile[] = [];
    for (const path of paths) files.push(...(await filesOf(path, archives)));
    const [first = basename(paths[0] ?? '')] = paths.map((path) => basename(path));
    const place = { file: tellName(first) };
    if (files.length === 0) throw new ImportProblem(place, 'has no CSV file');
    if (files.length > MAX_FILES) throw new ImportProblem(place, `has more than ${MAX_FILES} CSV files`);
    if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
      throw new ImportProblem(place, `has more than ${MAX_BYTES / 1024 ** 3} GiB`);
    return { files, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function filesOf(path: string, archives: ZipFile[]): Promise<ExportFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ImportProblem({ file: tellName(basename(path)) }, "can't be read");
  if (found.isDirectory()) {
    const names = (await readdir(path)).filter(isCsvName).sort();
    return Promise.all(names.map((name) => plainFile(join(path, name))));
  }
  return (await isZip(path)) ? filesOfArchive(path, archives) : [await plainFile(path)];
}

async function plainFile(path: string): Promise<ExportFile> {
  const { size } = await stat(path);
  return { name: basename(path), size, open: async () => createReadStream(path) };
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === ZIP_MAGIC;
  } finally {
    await file.close();
  }
}

/** Reads entries by the archive's directory. An entry that inflates to another size than the directory states fails while it is read. */
async function filesOfArchive(path: string, archives: ZipFile[]): Promise<ExportFile[]> {
  try {
    const archive = await openPromise(path, { autoClose: false });
    archives.push(archive);
    if (archive.entryCount > MAX_ENTRIES) throw new Error('too many entries');
    const files: ExportFile[] = [];
    for await (const entry of archive.eachEntry()) {
      const name = basename(entry.fileName);
      if (!isCsvName(name) || entry.fileName.startsWith('__MACOSX/')) continue;
      files.push({ name, size: entry.uncompressedSize, open: () => archive.openReadStreamPromise(entry) });
    }
    return files.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    throw new ImportProblem({ file: tellName(basename(path)) }, 'is not a valid ZIP archive');
  }
}
