import { expect, test } from 'vitest';
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

test('wrangler builds a function, and tells what is in it', async () => {
  const bundle = await buildFunction('gateway');
  expect(bundle).toMatchObject({ fn: 'gateway', externals: [], hasEval: false });
  expect(bundle.inputs).toContain('functions/gateway/find-binding.ts');
  expect(bundle.gzipBytes).toBeGreaterThan(100);
});
