import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as generated from '../../functions/track/tracker.generated.ts';
import { BUDGET_BYTES, bundleTracker, findFaults } from '../../packages/tracker/bundle.ts';
import { ROOT } from '../../scripts/lib/deployment.ts';

test('at most 1.6 KB gzipped, without a forbidden word', async () => {
  const bundle = await bundleTracker();
  expect(BUDGET_BYTES).toBe(1638);
  expect(gzipSync(bundle.source, { level: 9 }).length).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(findFaults(bundle)).toEqual([]);
});

test('the same sources give the same bytes', async () => {
  expect(await bundleTracker()).toEqual(await bundleTracker());
});

test('what is served is what the sources make', async () => {
  const { source, etag, version } = await bundleTracker();
  expect({ ...generated }).toEqual({ source, etag, version });
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  await promisify(execFile)('node', [join(ROOT, 'packages/tracker/build.ts'), '--check'], { cwd: ROOT });
});

test('a script that is too heavy or reads too much is refused', async () => {
  const bundle = await bundleTracker();
  expect(findFaults({ ...bundle, gzipBytes: BUDGET_BYTES + 1 })).toHaveLength(1);
  for (const word of [
    'document.cookie',
    'sessionStorage',
    'indexedDB',
    'eval(',
    'navigator.userAgent',
    'canvas',
  ])
    expect(findFaults({ ...bundle, source: `${bundle.source};${word}` })).not.toEqual([]);
});
