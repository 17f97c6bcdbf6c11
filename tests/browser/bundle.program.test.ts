import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  BUDGET_BYTES,
  bundleTracker,
  FILES,
  findFaults,
  SERVED_AS,
} from '../../packages/tracker/bundle-tracker.ts';
import { ROOT } from '../../tooling/deployment.ts';

const gzip = (input: string) => spawnSync('gzip', ['-9', '-n'], { input });

test('the core is held to 2,500 bytes gzipped, everything to 3,500, the snippets of other tools to 900', () => {
  expect(BUDGET_BYTES.core).toBe(2500);
  expect(BUDGET_BYTES.whole).toBe(3500);
  expect(BUDGET_BYTES.compat).toBe(900);
});

for (const file of FILES) {
  test(`${file}: within its bytes gzipped, without a forbidden word`, async () => {
    const bundle = await bundleTracker(file);
    expect(bundle.gzipBytes).toBeLessThanOrEqual(BUDGET_BYTES[file]);
    expect(findFaults(bundle)).toEqual([]);
  });

  test.skipIf(gzip('').error)(`${file}: within them by gzip itself`, async () => {
    const { length } = gzip((await bundleTracker(file)).source).stdout;
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(BUDGET_BYTES[file]);
  });

  test(`${file}: the same sources give the same bytes, and those are served`, async () => {
    const { source } = await bundleTracker(file);
    const again = await bundleTracker(file);
    expect(again.source).toBe(source);
    expect(await readFile(join(ROOT, 'functions/script/assets', SERVED_AS[file]), 'utf8')).toBe(source);
  });
}

test('the generated files are up to date', async () => {
  await promisify(execFile)('node', [join(ROOT, 'packages/tracker/build-tracker.ts'), '--check'], {
    cwd: ROOT,
  });
});

test('a script that is too heavy, reads too much or fetches code is refused', async () => {
  for (const file of FILES) {
    const bundle = await bundleTracker(file);
    expect(findFaults({ ...bundle, gzipBytes: BUDGET_BYTES[file] + 1 })).toHaveLength(1);
    for (const word of [
      'document.cookie',
      'sessionStorage',
      'indexedDB',
      'eval(',
      'import(',
      'navigator.userAgent',
      'canvas',
    ])
      expect(findFaults({ ...bundle, source: `${bundle.source};${word}` })).not.toEqual([]);
  }
});

test('storage is touched by the core alone, and what is measured is read by its part alone', async () => {
  const [core, links, measure] = await Promise.all(
    (['core', 'links', 'measure'] as const).map(async (file) => (await bundleTracker(file)).source),
  );
  for (const part of [links, measure]) expect(part).not.toContain('localStorage');
  for (const source of [core, links])
    for (const word of ['scrollY', 'PerformanceObserver', 'hasFocus']) expect(source).not.toContain(word);
});
