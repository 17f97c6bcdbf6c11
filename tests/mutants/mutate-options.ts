import { parseArgs } from 'node:util';

export interface MutateOptions {
  /** How many mutants are drawn. */
  mutants: number;
  /** The same seed draws the same mutants of the same code. */
  seed: number;
  /** Mutants that are tested at the same time. */
  workers: number;
  /** Tests what survived the last run, instead of a draw. */
  survivors: boolean;
}

/** Throws a sentence for the user if an option is invalid. */
export function readMutateOptions(args: string[]): MutateOptions {
  const { values } = parseArgs({
    args,
    options: {
      mutants: { type: 'string', default: '300' },
      seed: { type: 'string' },
      workers: { type: 'string', default: '2' },
      survivors: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed ?? String(Math.floor(Date.now() / 1000));
  return {
    mutants: readWhole('--mutants', values.mutants, 10_000),
    seed: readWhole('--seed', seed, 2 ** 32 - 1),
    workers: readWhole('--workers', values.workers, 2),
    survivors: values.survivors,
  };
}

function readWhole(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new Error(`${option} takes a whole number from 1 to ${most}.`);
  return value;
}
