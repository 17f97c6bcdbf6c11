/** All mutants of the code, by Stryker's mutators, and the code with all of them in it. */
import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { createRandom } from '../../dev/demo/seeded-random.ts';
import { ROOT } from '../../tooling/deployment.ts';

const FOLDERS = [
  'privacy',
  'collection',
  'visits',
  'analytics',
  'otlp',
  'accounts',
  'projects',
  'shares',
] as const;

export interface Mutant {
  /** The same in each run, as long as the code is the same. */
  id: string;
  /** From the top of the repository. */
  path: string;
  /** From 1. */
  line: number;
  mutator: string;
  original: string;
  replacement: string;
}

export interface MutatedCode {
  mutants: Mutant[];
  /** Absolute path of a file to its text with all its mutants; the environment variable `__STRYKER_ACTIVE_MUTANT__` switches one on. */
  files: Map<string, string>;
}

const quiet = () => {};
const LOGGER = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  ...{ trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet },
};

export async function listMutants(): Promise<MutatedCode> {
  const paths: string[] = [];
  for await (const path of glob(`lib/{${FOLDERS.join(',')}}/**/*.ts`, { cwd: ROOT }))
    if (!path.includes('.generated.')) paths.push(path);
  const sources = new Map<string, string>();
  for (const path of paths.sort()) sources.set(join(ROOT, path), await readFile(join(ROOT, path), 'utf8'));
  const { files, mutants } = await new Instrumenter(LOGGER).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  return {
    files: new Map(files.map(({ name, content }) => [name, content])),
    mutants: mutants.map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => ({
      id,
      path: relative(ROOT, fileName),
      line: start.line + 1,
      mutator: mutatorName,
      original: cut(sources.get(fileName) ?? '', start, end),
      replacement,
    })),
  };
}

interface Position {
  line: number;
  column: number;
}

function cut(text: string, start: Position, end: Position): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column) ?? '';
  lines[0] = lines[0]?.slice(start.column) ?? '';
  return lines.join('\n');
}

/** Draws `count` of the mutants, each with the same probability, in the order of the files. */
export function drawMutants(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = createRandom(seed);
  const drawn = mutants
    .map((mutant, index) => ({ mutant, index, lot: random.next() }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, count);
  return drawn.sort((a, b) => a.index - b.index).map(({ mutant }) => mutant);
}
