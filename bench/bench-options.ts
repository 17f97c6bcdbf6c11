import { parseArgs } from 'node:util';
import type { FillSize } from './scale/fill-size.ts';

export interface BenchOptions {
  /** Names of benchmarks; empty: all. */
  names: string[];
  /** A server on which databases may be created. */
  database: string;
  redis: 'memory' | { url: string };
  /** Number of events that a benchmark stores, instead of its default. */
  events: number | undefined;
  /** Numbers of events for the sites of the reports benchmark, instead of its defaults. */
  sizes: number[] | undefined;
  /** Up to this number of events the reports benchmark also fills the baseline, instead of its default. */
  baseline: number | undefined;
  /** How long a benchmark measures each target, instead of its default. */
  seconds: number | undefined;
  /** The folder in which Umami was built. */
  umami: string | undefined;
  /** The folder in which ClickHouse was installed as a library. */
  clickhouse: string | undefined;
  /** The name of the database that is filled, and measured at size. */
  into: string;
  /** Parts of the size of a fill that somebody asked for. */
  size: Partial<FillSize>;
  /** Events a second that are sent while a filled database is measured, instead of its default. */
  rate: number | undefined;
  /** How long a filled database is measured, instead of its default. */
  minutes: number | undefined;
  /** Inputs of the price list as `name=value`, instead of their defaults. */
  inputs: string[];
}

const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
const LOCAL_DATABASE = 'postgres://postgres@127.0.0.1:5432/postgres';
const FILLED_DATABASE = 'vendor_scale';

/** Options of a fill, and what they set. */
const SIZES = {
  site: 'site',
  sites: 'sites',
  each: 'each',
  days: 'days',
  signals: 'signals',
  'signal-days': 'signalDays',
} as const satisfies Record<string, keyof FillSize>;

/** Throws a sentence for the user if an option is invalid. */
export function readBenchOptions(args: string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      database: { type: 'string', default: TEST_DATABASE_URL || LOCAL_DATABASE },
      redis: { type: 'string', default: TEST_REDIS_URL || '' },
      events: { type: 'string' },
      sizes: { type: 'string' },
      baseline: { type: 'string' },
      seconds: { type: 'string' },
      umami: { type: 'string' },
      clickhouse: { type: 'string' },
      into: { type: 'string', default: FILLED_DATABASE },
      site: { type: 'string' },
      sites: { type: 'string' },
      each: { type: 'string' },
      days: { type: 'string' },
      signals: { type: 'string' },
      'signal-days': { type: 'string' },
      rate: { type: 'string' },
      minutes: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
    },
  });
  return {
    names: positionals,
    database: values.database,
    redis: values.redis === '' ? 'memory' : { url: values.redis },
    events: readCount('--events', values.events),
    sizes: values.sizes?.split(',').map((size) => readMillions('--sizes', size)),
    baseline: values.baseline === undefined ? undefined : readMillions('--baseline', values.baseline),
    seconds: readCount('--seconds', values.seconds),
    umami: values.umami,
    clickhouse: values.clickhouse,
    into: values.into,
    size: Object.fromEntries(
      Object.entries(SIZES).flatMap(([option, name]) => {
        const count = readCount(`--${option}`, values[option as keyof typeof SIZES]);
        return count === undefined ? [] : [[name, count]];
      }),
    ),
    rate: readCount('--rate', values.rate),
    minutes: readCount('--minutes', values.minutes),
    inputs: values.set,
  };
}

function readCount(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value.replaceAll('_', ''));
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`${option} takes a whole number from 1 on.`);
  return count;
}

function readMillions(option: string, value: string): number {
  const events = Math.round(Number(value) * 1e6);
  if (!Number.isSafeInteger(events) || events < 1) throw new Error(`${option} takes millions of events.`);
  return events;
}
