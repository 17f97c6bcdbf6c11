/**
 * `npm run provider-operations`: writes which operations of Cloudflare's API our tests compare requests with, from the package below,
 * which Cloudflare generates from its published OpenAPI. npm fetches it; `--from FOLDER` takes its unpacked folder. It isn't installed:
 * only paths, methods and names of fields are kept.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../tooling/deployment.ts';
import { withNpmPackage } from '../tooling/with-npm-package.ts';
import { readOperations } from './provider-operations/read-operations.ts';

/** To update, enter a newer version and run this. */
const SOURCE = { name: 'cloudflare', version: '7.3.0', licence: 'Apache-2.0' };

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const operations = await withNpmPackage({ ...SOURCE, from: values.from }, (folder) =>
  readOperations(join(folder, 'resources')),
);
const source = `${SOURCE.name} ${SOURCE.version} (npm), ${SOURCE.licence}, made by npm run provider-operations`;
await writeFile(
  join(ROOT, 'tests/provider/operations.generated.json'),
  `${JSON.stringify({ source, operations }, null, 1)}\n`,
);
console.log(`${operations.length} operations`);
