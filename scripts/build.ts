/**
 * `npm run build`: builds every function into `dist/` as for a deployment, and checks size and contents of each. With `--notices` it also
 * writes THIRD-PARTY-NOTICES, which otherwise must fit what the bundles hold.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeUse } from '../tooling/budget.ts';
import { ROOT, readDeployment } from '../tooling/deployment.ts';
import { bundleApp } from '../web/app/bundle-app.ts';
import { buildFunction } from './build/build-function.ts';
import { budgetOf, findBundleFaults } from './build/bundle-rules.ts';
import { renderNotices } from './build/third-party-notices.ts';

const NOTICES = join(ROOT, 'THIRD-PARTY-NOTICES');

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

const { values } = parseArgs({ options: { notices: { type: 'boolean', default: false } } });
const faults: string[] = [];
const sources: string[] = [...(await bundleApp()).sources];
console.log(`${'function'.padEnd(12)}gzipped, of its budget`);
for (const { fn } of readDeployment()) {
  const bundle = await buildFunction(fn);
  console.log(fn.padEnd(12) + describeUse(bundle.gzipBytes, budgetOf(fn), kib));
  sources.push(...bundle.sources);
  faults.push(...findBundleFaults(bundle));
}
const notices = await renderNotices(sources);
if (values.notices) await writeFile(NOTICES, notices);
else if ((await readFile(NOTICES, 'utf8').catch(() => '')) !== notices)
  faults.push('THIRD-PARTY-NOTICES is older than the bundles: npm run build -- --notices');
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
