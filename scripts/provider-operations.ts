/**
 * `npm run provider-operations`: writes which operations of Cloudflare's API our tests compare requests with, from the package below,
 * which Cloudflare generates from its published OpenAPI. npm fetches it; `--from FOLDER` takes its unpacked folder. It isn't installed:
 * only paths, methods and names of fields are kept.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ROOT } from '../tooling/deployment.ts';
import { readOperations } from './provider-operations/read-operations.ts';

/** To update, enter a newer version and run this. */
const SOURCE = { name: 'cloudflare', version: '7.3.0', licence: 'Apache-2.0' };
const run = promisify(execFile);

async function unpack(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', `${SOURCE.name}@${SOURCE.version}`], {
    cwd: folder,
  });
  await run('tar', ['xzf', stdout.trim()], { cwd: folder });
  return join(folder, 'package');
}

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const folder = await mkdtemp(join(tmpdir(), 'provider-operations-'));
try {
  const operations = await readOperations(join(values.from ?? (await unpack(folder)), 'resources'));
  const source = `${SOURCE.name} ${SOURCE.version} (npm), ${SOURCE.licence}, made by npm run provider-operations`;
  await writeFile(
    join(ROOT, 'tests/provider/operations.generated.json'),
    `${JSON.stringify({ source, operations }, null, 1)}\n`,
  );
  console.log(`${operations.length} operations`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
