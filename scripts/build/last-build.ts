/** Whether a built function still is what wrangler would build: the files that it was built from, and what was built, are the same. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { ROOT } from '../../tooling/deployment.ts';

/** What decides beside a function's own files: its settings, and the versions of wrangler and of the packages. */
const SHARED = ['wrangler.toml', 'package-lock.json', 'package.json', 'tsconfig.json'];
const BUILT = ['index.js', 'bundle-meta.json'];

/** Beside the folder: wrangler would upload what is in it. */
const noteOf = (folder: string): string => `${folder}.built-from`;

/** True if a build into `folder` would write what is there. */
export async function isBuilt(folder: string): Promise<boolean> {
  const note = await readFile(noteOf(folder), 'utf8').catch(() => undefined);
  return note !== undefined && note === (await hashBuild(folder).catch(() => undefined));
}

/** Remembers what `folder` was just built from. */
export async function rememberBuild(folder: string): Promise<void> {
  await writeFile(noteOf(folder), await hashBuild(folder));
}

async function hashBuild(folder: string): Promise<string> {
  const meta = JSON.parse(await readFile(join(folder, 'bundle-meta.json'), 'utf8')) as Metafile;
  const inputs = Object.keys(meta.inputs).toSorted();
  const paths = [...SHARED, ...inputs].map((path) => resolve(ROOT, path));
  const hash = createHash('sha256').update(JSON.stringify(inputs));
  for (const path of [...paths, ...BUILT.map((name) => join(folder, name))]) {
    const content = await readFile(path);
    hash.update(`${content.length} `).update(content);
  }
  return hash.digest('hex');
}
