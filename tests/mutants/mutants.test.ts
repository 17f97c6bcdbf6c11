import { expect, test } from 'vitest';
import { drawMutants, listMutants } from './list-mutants.ts';
import { readMutateOptions } from './mutate-options.ts';
import { planTests } from './plan-tests.ts';
import type { CoveredFile } from './test-runner.ts';

const { mutants, files } = await listMutants();

test('each mutant has its original at its line, and a switch in the code', async () => {
  expect(mutants.length).toBeGreaterThan(3000);
  const ofTier = mutants.filter(({ path }) => path === 'lib/privacy/tier.ts');
  expect(ofTier).not.toEqual([]);
  for (const { id, path } of ofTier)
    expect([...files].find(([name]) => name.endsWith(path))?.[1]).toContain(`stryMutAct_9fa48("${id}")`);
});

test('a seed draws the same mutants again, each once, in the order of the files', () => {
  const drawn = drawMutants(mutants, 300, 7);
  expect(drawn).toHaveLength(300);
  expect(new Set(drawn).size).toBe(300);
  expect(drawMutants(mutants, 300, 7)).toEqual(drawn);
  expect(drawMutants(mutants, 300, 8)).not.toEqual(drawn);
  expect(drawn.map((mutant) => mutants.indexOf(mutant))).toEqual(
    drawn.map((mutant) => mutants.indexOf(mutant)).toSorted((a, b) => a - b),
  );
});

test.each([
  ['--mutants', '0'],
  ['--mutants', '1.5'],
  ['--workers', '3'],
  ['--seed', 'x'],
])('%s %s is refused', (option, value) => {
  expect(() => readMutateOptions([option, value])).toThrow(`${option} takes a whole number`);
});

test('a mutant is tested by the files that reach it, the nearest and fastest first', () => {
  const mutant = {
    ...{ id: '5', path: 'lib/privacy/salt.ts', line: 1, mutator: 'x', original: '', replacement: '' },
  };
  const file = (path: string, of: Partial<CoveredFile>): CoveredFile => ({
    ...{ path, hash: '', passed: true, seconds: 1, reached: [], loaded: [], imports: [] },
    ...of,
  });
  const planned = (covered: readonly CoveredFile[]) => planTests(mutant, covered).map(({ path }) => path);
  const reaching = [
    file('tests/ingest/a.database.test.ts', { reached: ['5'] }),
    file('tests/functions/slow.test.ts', { reached: ['5'], seconds: 9 }),
    file('tests/functions/fast.test.ts', { reached: ['5'] }),
    file('tests/lib/privacy/salt.test.ts', { reached: ['4', '5'], seconds: 20 }),
    file('tests/functions/failing.test.ts', { reached: ['5'], passed: false }),
    file('tests/functions/importing.test.ts', { imports: ['lib/privacy/salt.ts'] }),
  ];
  expect(planned(reaching)).toEqual([
    'tests/lib/privacy/salt.test.ts',
    'tests/functions/fast.test.ts',
    'tests/functions/slow.test.ts',
    'tests/ingest/a.database.test.ts',
  ]);
  // Run while the module is loaded: whoever imports it may notice.
  expect(planned([...reaching, file('tests/web/a.test.ts', { loaded: ['5'] })])).toContain(
    'tests/functions/importing.test.ts',
  );
  const slow = ['a', 'b', 'c'].map((name) =>
    file(`tests/ingest/${name}.database.test.ts`, { reached: ['5'], seconds: 25 }),
  );
  expect(planned(slow)).toHaveLength(2);
});
