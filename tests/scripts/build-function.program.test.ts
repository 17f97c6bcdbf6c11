import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildFunction, callsEval } from '../../scripts/build/build-function.ts';

test.each([
  ['eval("1")', true],
  ['(() => eval("1"))()', true],
  ['class Redis { eval(script) { return script } } new Redis().eval("1")', false],
  ['const redis = { eval() {} }; redis.eval()', false],
  ['retrieval(1)', false],
])('%s', async (code, expected) => {
  expect(await callsEval(code)).toBe(expected);
});

test('wrangler builds a function once, and says each time what is in it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'vendor-build-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'gateway');
  const bundle = await buildFunction('gateway', folder);
  expect(bundle).toMatchObject({ fn: 'gateway', externals: [], hasEval: false });
  expect(bundle.inputs).toContain('functions/gateway/find-binding.ts');
  expect(bundle.gzipBytes).toBeGreaterThan(100);
  const { mtimeMs } = await stat(bundle.module);
  expect(await buildFunction('gateway', folder)).toEqual(bundle);
  expect((await stat(bundle.module)).mtimeMs).toBe(mtimeMs);
  await rm(bundle.module);
  expect(await buildFunction('gateway', folder)).toEqual(bundle);
});
