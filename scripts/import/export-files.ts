import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ExportFile, isCsvName, tellName } from '../../lib/imports/readers/export-file.ts';
import { ImportProblem } from '../../lib/imports/readers/import-problem.ts';
import { chunksOf, filesOfZip, isZip } from '../../lib/imports/readers/zip-files.ts';

/** An export has ten files; a folder may contain others. */
const MAX_FILES = 200;
/** Size after inflating. Limits archives that inflate from few bytes to many. */
const MAX_BYTES = 8 * 1024 ** 3;

/**
 * The CSV files of the given paths: files, folders of files, ZIP archives.
 *
 * @throws ImportProblem if there are none or too many
 */
export async function openExportFiles(paths: readonly string[]): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  for (const path of paths) files.push(...(await filesOf(path)));
  const [first = basename(paths[0] ?? '')] = paths.map((path) => basename(path));
  const location = { file: tellName(first) };
  if (files.length === 0) throw new ImportProblem(location, 'has no CSV file');
  if (files.length > MAX_FILES) throw new ImportProblem(location, `has more than ${MAX_FILES} CSV files`);
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
    throw new ImportProblem(location, `has more than ${MAX_BYTES / 1024 ** 3} GiB`);
  return files;
}

async function filesOf(path: string): Promise<ExportFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ImportProblem({ file: tellName(basename(path)) }, "can't be read");
  if (found.isDirectory()) {
    const names = (await readdir(path)).filter(isCsvName).sort();
    return Promise.all(names.map(async (name) => plainFile(name, await openAsBlob(join(path, name)))));
  }
  const file = await openAsBlob(path);
  const name = basename(path);
  return (await isZip(file)) ? filesOfZip(file, name) : [plainFile(name, file)];
}

const plainFile = (name: string, file: Blob): ExportFile => ({
  name,
  size: file.size,
  open: async () => chunksOf(file.stream()),
});
