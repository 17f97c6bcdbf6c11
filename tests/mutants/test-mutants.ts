import { eachOf, progress } from './each-of.ts';
import type { Mutant } from './list-mutants.ts';
import { planTests } from './plan-tests.ts';
import type { RunnerProcess } from './runner-process.ts';
import type { CoveredFile } from './test-runner.ts';

export interface MutantResult extends Mutant {
  status: 'killed' | 'timeout' | 'survived' | 'not reached';
  /** The test file that failed. */
  killedBy: string | null;
  /** How many test files could notice it. */
  testFiles: number;
  seconds: number;
}

/** A mutant times out after this, and after twice the time that its tests took without it. */
const START_SECONDS = 20;

/** What Stryker counts as detected. */
export const isKilled = ({ status }: MutantResult): boolean => status === 'killed' || status === 'timeout';

/** Runs the tests of each mutant, until one fails. */
export async function testMutants(
  mutants: readonly Mutant[],
  covered: readonly CoveredFile[],
  runners: readonly RunnerProcess[],
): Promise<MutantResult[]> {
  const results: MutantResult[] = [];
  await eachOf(mutants, runners, async (mutant, runner) => {
    results.push(await testMutant(mutant, planTests(mutant, covered), runner));
    progress(`mutants: ${results.length} of ${mutants.length}, killed: ${results.filter(isKilled).length}`);
  });
  return results.sort((a, b) => Number(a.id) - Number(b.id));
}

async function testMutant(
  mutant: Mutant,
  tests: readonly CoveredFile[],
  runner: RunnerProcess,
): Promise<MutantResult> {
  const start = performance.now();
  const files = tests.map(({ path }) => path);
  const result = (status: MutantResult['status'], killedBy: string | null = null): MutantResult => ({
    ...{ ...mutant, status, killedBy, testFiles: files.length },
    seconds: (performance.now() - start) / 1000,
  });
  if (files.length === 0) return result('not reached');
  const seconds = START_SECONDS + 2 * tests.reduce((sum, test) => sum + test.seconds, 0);
  const answer = await runner.ask<{ failed: string | null }>(
    { kind: 'test', files, mutant: mutant.id },
    seconds,
  );
  if (answer === undefined) return result('timeout');
  return answer.failed === null ? result('survived') : result('killed', answer.failed);
}
