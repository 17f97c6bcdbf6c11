/**
 * `npm run sdk:release -- 0.1.0`: archives the SDK under a version, for good. Commit what it writes. From then on the version's file never changes: to
 * work on, give `packages/sdk-node/package.json` the next version with `-dev` at its end.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  archiveVersion,
  type ManifestVersion,
  RELEASES,
} from '../packages/sdk-node/archive/build-archive.ts';
import { ROOT } from '../tooling/deployment.ts';

const LIST = join(RELEASES, 'releases.json');
const PACKAGE = join(ROOT, 'packages/sdk-node/package.json');

async function release(version: string | undefined): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('Which version? npm run sdk:release -- 0.1.0');
  const released: ManifestVersion[] = JSON.parse(await readFile(LIST, 'utf8'));
  if (released.some((one) => one.version === version)) throw new Error(`${version} is released already.`);
  const { listed, bytes } = await archiveVersion(version as string);
  await writeFile(join(RELEASES, listed.file), bytes);
  await writeFile(LIST, `${JSON.stringify([listed, ...released], null, 2)}\n`);
  const source = await readFile(PACKAGE, 'utf8');
  await writeFile(PACKAGE, source.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  console.log(`${listed.file}, ${listed.bytes} bytes, ${listed.integrity}`);
}

try {
  await release(process.argv[2]);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
