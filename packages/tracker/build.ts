/** `node packages/tracker/build.ts [--check]`: makes the module that the tracker is served from, or tells whether it is up to date. */
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/deployment.ts';
import { writeGenerated } from '../../scripts/lib/generated.ts';
import { BUDGET_BYTES, bundleTracker, FILES, findFaults } from './bundle.ts';

const bundles = await Promise.all(FILES.map((file) => bundleTracker(file)));
const faults = bundles.flatMap(findFaults);
if (faults.length > 0) {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
} else {
  for (const { file, gzipBytes } of bundles)
    process.stdout.write(`${file}: ${gzipBytes} bytes gzipped of ${BUDGET_BYTES[file]}\n`);
  const files = bundles.map(
    ({ file, version, etag, source }) =>
      `export const ${file} = ${JSON.stringify({ version, etag, source }, undefined, 2)};\n`,
  );
  await writeGenerated(
    join(ROOT, 'functions/track/tracker.generated.ts'),
    `// Made by packages/tracker/build.ts.\n${files.join('')}`,
  );
}
