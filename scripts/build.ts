/** `npm run build`: builds every function into `dist/` as for a deployment, and checks size and contents of each. */
import { readDeployment } from '../tooling/deployment.ts';
import { buildFunction } from './build/build-function.ts';
import { budgetOf, findBundleFaults } from './build/bundle-rules.ts';

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`.padStart(10);

const faults: string[] = [];
console.log(`${'function'.padEnd(12)}${'gzipped'.padStart(10)}${'budget'.padStart(12)}`);
for (const { fn } of readDeployment()) {
  const bundle = await buildFunction(fn);
  console.log(`${fn.padEnd(12)}${kib(bundle.gzipBytes)}  ${kib(budgetOf(fn))}`);
  faults.push(...findBundleFaults(bundle));
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
