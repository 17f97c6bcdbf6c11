/** `node packages/tracker/build.ts [--check]`: makes the module that `/tracker.js` is served from, or tells whether it is up to date. */
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/deployment.ts';
import { writeGenerated } from '../../scripts/lib/generated.ts';
import { BUDGET_BYTES, bundleTracker, findFaults } from './bundle.ts';

const bundle = await bundleTracker();
const faults = findFaults(bundle);
if (faults.length > 0) {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`tracker.js: ${bundle.gzipBytes} bytes gzipped of ${BUDGET_BYTES}\n`);
  await writeGenerated(
    join(ROOT, 'functions/track/tracker.generated.ts'),
    `// Made by packages/tracker/build.ts.
export const version = ${JSON.stringify(bundle.version)};
export const etag = ${JSON.stringify(bundle.etag)};
export const source = ${JSON.stringify(bundle.source)};
`,
  );
}
