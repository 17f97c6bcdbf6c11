/** Runs before each test file of `npm run mutate`: reports which mutants its tests reached. */
import fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';

/** What Stryker's instrumented code counts in. */
interface Counts {
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

declare module 'vitest' {
  interface TaskMeta {
    /** The mutants whose code ran in tests and hooks. */
    reached?: string[];
    /** The mutants whose code ran while modules were loaded, for this file or an earlier one of the worker. */
    loaded?: string[];
  }
}

// Random cases are the same with a mutant and without, so that those which reach it are drawn again.
fc.configureGlobal({ seed: 1 });

const IN_TESTS = 'tests';
const scope = globalThis as { __stryker__?: Counts };
scope.__stryker__ ??= {};
const counts = scope.__stryker__;

beforeAll(() => {
  counts.currentTestId = IN_TESTS;
});

// biome-ignore lint/correctness/noEmptyPattern: Vitest takes no other name for what it gives first.
afterAll(({}, { file }) => {
  counts.currentTestId = undefined;
  const coverage = counts.mutantCoverage;
  file.meta.reached = Object.keys(coverage?.perTest[IN_TESTS] ?? {});
  file.meta.loaded = Object.keys(coverage?.static ?? {});
  delete coverage?.perTest[IN_TESTS];
});
