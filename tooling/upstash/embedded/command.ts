import { Failure, type Reply } from '../redis-reply.ts';
import type { Store } from './key-store.ts';

/** One Redis command. */
export interface CommandSpec {
  /** Minimum number of arguments. */
  min: number;
  max: number;
  /** Throws a `Failure` where Redis answers with an error. */
  run(store: Store, args: Arguments): Reply;
}

/** Arguments in order. `at` is for arguments that the count guarantees. */
export class Arguments {
  readonly all: readonly string[];

  constructor(all: readonly string[]) {
    this.all = all;
  }

  at(index: number): string {
    const value = this.all[index];
    if (value === undefined) throw syntaxError();
    return value;
  }

  integer(index: number): number {
    return parseInteger(this.at(index));
  }

  from(index: number): readonly string[] {
    return this.all.slice(index);
  }

  /** The arguments from `index` on, in pairs. */
  pairs(index: number): [string, string][] {
    const rest = this.from(index);
    return rest.flatMap((first, i) => (i % 2 === 0 ? [[first, rest[i + 1] ?? ''] as [string, string]] : []));
  }
}

export const command = (min: number, max: number, run: CommandSpec['run']): CommandSpec => ({
  min,
  max,
  run,
});

export const syntaxError = (): Failure => new Failure('ERR syntax error');
export const wrongCount = (name: string): Failure =>
  new Failure(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
const notInteger = (): Failure => new Failure('ERR value is not an integer or out of range');

/** Redis has 64-bit integers; this accepts those that a number holds exactly. */
export function parseInteger(text: string): number {
  const value = /^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw notInteger();
  return value;
}

export function addIntegers(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isSafeInteger(sum)) throw new Failure('ERR increment or decrement would overflow');
  return sum;
}
