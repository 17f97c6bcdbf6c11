/** What `--state FILE` keeps: how far an attack is, and what it found. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Progress } from './run-attack.ts';

/** Throws if the file is of another seed. Undefined without a file. */
export function readProgress({
  state,
  seed,
}: {
  state: string | undefined;
  seed: number;
}): Progress | undefined {
  if (state === undefined || !existsSync(state)) return undefined;
  const progress: Progress = JSON.parse(readFileSync(state, 'utf8'));
  if (progress.seed !== seed) throw new Error(`${state} is of seed ${progress.seed}.`);
  return progress;
}

/** The seed of the file, so that a run that continues needs no `--seed`. */
export const seedIn = (state: string | undefined): number | undefined =>
  state === undefined || !existsSync(state)
    ? undefined
    : (JSON.parse(readFileSync(state, 'utf8')) as Progress).seed;

/** A run that is killed leaves the old file or the new one, whole. */
export function writeProgress(state: string, progress: Progress): void {
  writeFileSync(`${state}.new`, JSON.stringify(progress));
  renameSync(`${state}.new`, state);
}
