/**
 * `npm run mutate [-- --mutants 300 --seed 1 --workers 2 --survivors]`: changes one thing of the code at a time, as Stryker does, and counts how
 * many of these mutants the unit and database tests notice (tests/README.md#mutants). Writes `dist/mutants.json`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';
import { startTemporaryCluster } from '../../tooling/postgres/cluster.ts';
import { coverTests } from './cover-tests.ts';
import { drawMutants, listMutants, type Mutant } from './list-mutants.ts';
import { type MutateOptions, readMutateOptions } from './mutate-options.ts';
import { printResults } from './print-results.ts';
import { RunnerProcess } from './runner-process.ts';
import { isKilled, type MutantResult, testMutants } from './test-mutants.ts';
import type { CoveredFile } from './test-runner.ts';

interface Report {
  seed: number;
  results: MutantResult[];
  /** What the tests reached without a mutant, for `--survivors`. */
  covered: CoveredFile[];
}

const REPORT = join(ROOT, 'dist/mutants.json');
/** Random cases of tests that compare with an oracle: half of the default, the fewest with which all of these tests draw what they need. */
const ORACLE_RUNS = '25';

async function main(options: MutateOptions): Promise<void> {
  const { mutants } = await listMutants();
  const last = options.survivors ? (JSON.parse(await readFile(REPORT, 'utf8')) as Report) : undefined;
  const chosen = last ? stillThere(mutants, last) : drawMutants(mutants, options.mutants, options.seed);
  const seed = last?.seed ?? options.seed;
  console.log(`${chosen.length} mutants, seed ${seed}`);
  const cluster = await startTemporaryCluster();
  const runners = Array.from({ length: options.workers }, () => new RunnerProcess());
  const stop = async (): Promise<void> => {
    for (const runner of runners) runner.close();
    await cluster.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    process.env.TEST_DATABASE_URL = cluster.url;
    process.env.ORACLE_RUNS ??= ORACLE_RUNS;
    delete process.env.TEST_REDIS_URL;
    const covered = await coverTests(runners, last?.covered ?? []);
    const results = await testMutants(chosen, covered, runners);
    printResults(results);
    await mkdir(dirname(REPORT), { recursive: true });
    await writeFile(REPORT, JSON.stringify({ seed, results, covered } satisfies Report, null, 1));
  } finally {
    await stop();
  }
}

/** What survived the last run. */
function stillThere(mutants: readonly Mutant[], { results }: Report): Mutant[] {
  const keyOf = ({ id, path, line, original, replacement }: Mutant) =>
    JSON.stringify([id, path, line, original, replacement]);
  const keys = new Set(results.filter((result) => !isKilled(result)).map(keyOf));
  const chosen = mutants.filter((mutant) => keys.has(keyOf(mutant)));
  if (chosen.length < keys.size)
    throw new Error('The code has changed since the last run: run it again with its seed.');
  return chosen;
}

await main(readMutateOptions(process.argv.slice(2)));
