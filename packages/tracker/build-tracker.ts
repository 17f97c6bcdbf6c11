/** `node packages/tracker/build-tracker.ts [--check]`: builds the files that pages load, or checks that they are up to date. */
import { join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';
import { writeGenerated } from '../../tooling/write-generated.ts';
import {
  BUDGET_BYTES,
  bundleTracker,
  FILES,
  findFaults,
  SERVED_AS,
  type TrackerFile,
  WARN_SHARE,
} from './bundle-tracker.ts';

const isClose = (file: TrackerFile, bytes: number): string =>
  bytes > BUDGET_BYTES[file] * WARN_SHARE ? ' (warning: over 95 %)' : '';

const bundles = await Promise.all(FILES.map((file) => bundleTracker(file)));
const faults = bundles.flatMap(findFaults);
if (faults.length > 0) {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
} else {
  for (const { file, gzipBytes } of bundles)
    process.stdout.write(
      `${file}: ${gzipBytes} bytes gzipped of ${BUDGET_BYTES[file]}${isClose(file, gzipBytes)}\n`,
    );
  for (const { file, source } of bundles)
    await writeGenerated(join(ROOT, 'functions/script/assets', SERVED_AS[file]), source);
}
