import { percent, printLines } from '../../bench/print-table.ts';
import { isKilled, type MutantResult } from './test-mutants.ts';

/** Prints the share of killed mutants by folder, and what survived. */
export function printResults(results: readonly MutantResult[]): void {
  const survivors = results.filter((result) => !isKilled(result));
  for (const { path, line, mutator, status, original, replacement } of survivors)
    console.log(
      `\n${path}:${line} ${status} (${mutator})\n- ${shorten(original)}\n+ ${shorten(replacement)}`,
    );
  const folders = Map.groupBy(results, ({ path }) => path.split('/').slice(0, 2).join('/'));
  printLines(
    'mutants',
    [
      ['folder', 'mutants', 'killed', 'timeout', 'survived', 'not reached', 'share killed'],
      ...[...folders].map(([folder, of]) => [folder, ...figures(of)]),
      ['all', ...figures(results)],
    ],
    (at) => at > 0,
  );
}

function figures(results: readonly MutantResult[]): string[] {
  const count = (status: MutantResult['status']) =>
    results.filter((result) => result.status === status).length;
  const statuses = (['killed', 'timeout', 'survived', 'not reached'] as const).map(count);
  return [results.length, ...statuses]
    .map(String)
    .concat(percent(results.filter(isKilled).length / results.length));
}

const MAX_SHOWN = 300;
const shorten = (code: string): string => {
  const line = code.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)} …` : line;
};
