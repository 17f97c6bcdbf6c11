import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBuilt, rememberBuild } from '../../scripts/build/last-build.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vendor-built-'));
});
afterAll(() => rm(root, { recursive: true }));

/** A function that was built from two sources. */
async function build(name: string) {
  const folder = join(root, name);
  const sources = [join(root, `${name}-a.ts`), join(root, `${name}-b.ts`)];
  await mkdir(folder);
  for (const source of sources) await writeFile(source, '1');
  await writeFile(join(folder, 'index.js'), 'built');
  const inputs = Object.fromEntries(sources.map((path) => [path, {}]));
  await writeFile(join(folder, 'bundle-meta.json'), JSON.stringify({ inputs, outputs: {} }));
  expect(await isBuilt(folder)).toBe(false);
  await rememberBuild(folder);
  expect(await isBuilt(folder)).toBe(true);
  return { folder, sources };
}

test.each<[string, (built: Awaited<ReturnType<typeof build>>) => Promise<void>]>([
  ['a source has changed', ({ sources: [, source = ''] }) => writeFile(source, '2')],
  ['a source is gone', ({ sources: [source = ''] }) => rm(source)],
  [
    'text moves from a source to the next',
    async ({ sources: [first = '', second = ''] }) => {
      await writeFile(first, '11');
      await writeFile(second, '');
    },
  ],
  ['somebody wrote over what was built', ({ folder }) => writeFile(join(folder, 'index.js'), 'other')],
  [
    'another function was built there',
    ({ folder }) => writeFile(join(folder, 'bundle-meta.json'), JSON.stringify({ inputs: {}, outputs: {} })),
  ],
  ['what was built is gone', ({ folder }) => rm(folder, { recursive: true })],
])('%s: it is built again', async (name, change) => {
  const built = await build(name.replaceAll(' ', '-'));
  await change(built);
  expect(await isBuilt(built.folder)).toBe(false);
});
