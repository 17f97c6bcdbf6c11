/**
 * `npm run build`: builds every function into `dist/` as for a deployment, and checks size and contents of each. With `--notices` it also
 * writes THIRD-PARTY-NOTICES, which otherwise must fit what the bundles hold.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, readDeployment } from '../tooling/deployment.ts';
import { bundleApp } from '../web/app/bundle-app.ts';
import { buildFunction } from './build/build-function.ts';
import { budgetOf, findBundleFaults } from './build/bundle-rules.ts';
import { renderNotices } from './build/third-party-notices.ts';

const NOTICES = join(ROOT, 'THIRD-PARTY-NOTICES');

/** A budget that is used to this part is named before it fails. */
const NEAR = 0.95;

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`.padStart(10);

const { values } = parseArgs({ options: { notices: { type: 'boolean', default: false } } });
const faults: string[] = [];
const sources: string[] = [...(await bundleApp()).sources];
console.log(`${'function'.padEnd(12)}${'gzipped'.padStart(10)}${'budget'.padStart(12)}`);
for (const { fn } of readDeployment()) {
  const bundle = await buildFunction(fn);
  const isNear = bundle.gzipBytes > NEAR * budgetOf(fn);
  console.log(
    `${fn.padEnd(12)}${kib(bundle.gzipBytes)}  ${kib(budgetOf(fn))}${isNear ? '  nearly full' : ''}`,
  );
  sources.push(...bundle.sources);
  faults.push(...findBundleFaults(bundle));
}
const notices = await renderNotices(sources);
if (values.notices) await writeFile(NOTICES, notices);
else if ((await readFile(NOTICES, 'utf8').catch(() => '')) !== notices)
  faults.push('THIRD-PARTY-NOTICES is older than the bundles: npm run build -- --notices');
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
