import type { Mutant } from './list-mutants.ts';
import type { CoveredFile } from './test-runner.ts';

/** Tests of a mutant take this at most, so that those which notice nothing don't take all day. */
const MAX_SECONDS = 60;

/**
 * The test files that can notice a mutant: those whose tests reach its code, or, for code that runs while a module is loaded, those that
 * import the module. Unit tests first, then those of the same subject, then the fastest, and no more than take a minute together.
 */
export function planTests({ id, path }: Mutant, covered: readonly CoveredFile[]): CoveredFile[] {
  const isLoaded = covered.some(({ loaded }) => loaded.includes(id));
  const subject = path.split('/').slice(0, 2).join('/');
  const ranks = ({ path: test, seconds }: CoveredFile): number[] => [
    Number(test.includes('.database.')),
    Number(!test.startsWith(`tests/${subject}/`)),
    seconds,
  ];
  let sum = 0;
  return covered
    .filter(
      ({ passed, reached, imports }) =>
        passed && (reached.includes(id) || (isLoaded && imports.includes(path))),
    )
    .toSorted((a, b) => compare(ranks(a), ranks(b)))
    .filter(({ seconds }, index) => {
      sum += seconds;
      return index === 0 || sum <= MAX_SECONDS;
    });
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
