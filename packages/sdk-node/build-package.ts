/** `node packages/sdk-node/build-package.ts`: writes `dist/`, the npm package, and the archive that operators hand out. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildArchive } from './archive/build-archive.ts';
import { bundlePackage } from './bundle-package.ts';

const DIST = fileURLToPath(new URL('dist', import.meta.url));
const ARCHIVE = fileURLToPath(new URL('../../functions/sdk/assets/sdk', import.meta.url));

const { files } = await bundlePackage();
await replaceFolder(DIST, new Map(files.map(({ path, contents }) => [path, contents])));
if (!process.argv.includes('--package')) await replaceFolder(ARCHIVE, await buildArchive());

async function replaceFolder(folder: string, contentsOf: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, contents] of contentsOf) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), contents);
  }
}
