import { parseArgs } from 'node:util';
import { seedIn } from './progress.ts';

export interface AttackOptions {
  minutes: number;
  /** The number of requests after which the attack ends, if the minutes aren't over. */
  requests: number;
  /** Requests at the same time. */
  atOnce: number;
  /** Requests a second at most. Undefined: as fast as they are answered. */
  rate: number | undefined;
  seed: number;
  /** The file that keeps how far the attack is. */
  state: string | undefined;
  /** Only these kinds; empty: all. */
  kinds: string[];
  /** A server on which a database may be created. Default: an embedded one. */
  database: string | undefined;
  redis: string | undefined;
}

/** Throws a sentence for the user if an option is invalid. */
export function readAttackOptions(args: string[]): AttackOptions {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '20' },
      requests: { type: 'string', default: '100000' },
      'at-once': { type: 'string', default: '8' },
      rate: { type: 'string' },
      seed: { type: 'string' },
      state: { type: 'string' },
      kinds: { type: 'string', default: '' },
      database: { type: 'string' },
      redis: { type: 'string' },
    },
  });
  return {
    minutes: readPositive('--minutes', values.minutes),
    requests: readPositive('--requests', values.requests),
    atOnce: readPositive('--at-once', values['at-once']),
    rate: values.rate === undefined ? undefined : readPositive('--rate', values.rate),
    seed:
      values.seed === undefined ? (seedIn(values.state) ?? newSeed()) : readPositive('--seed', values.seed),
    state: values.state,
    kinds: values.kinds === '' ? [] : values.kinds.split(','),
    database: values.database,
    redis: values.redis,
  };
}

const newSeed = (): number => Math.floor(Date.now() / 1000);

function readPositive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${option} takes a number above 0.`);
  return value;
}
