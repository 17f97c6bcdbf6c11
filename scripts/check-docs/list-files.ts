import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const SKIPPED = new Set(['node_modules', '.git', '.local', '.wrangler', 'dist']);

/** The repository's files, as paths relative to `root`. */
export async function listFiles(root: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !SKIPPED.has(name))
    .map((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? listFiles(root, path) : [path];
    });
  return (await Promise.all(found)).flat();
}
