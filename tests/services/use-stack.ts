/** The whole service for a test file: embedded, or on the servers of TEST_DATABASE_URL and TEST_REDIS_URL. */
import { afterAll, beforeAll, inject } from 'vitest';
import { createScratchRedis } from '../../dev/scratch-redis.ts';
import { type Stack, type StackOptions, startStack } from '../../dev/stack.ts';
import { TEST_CHANNEL_KEY } from '../security/mail-samples.ts';
import { TEST_AUTH_KEY } from '../security/session.ts';
import { readBundle } from '../setup/bundles.ts';
import { copyDatabase } from './database.ts';

/** A stack with a database and a Redis of its own. `close` drops both. */
export async function startOwnStack(options: StackOptions): Promise<Stack> {
  const { TEST_REDIS_URL: redisUrl } = process.env;
  const database = await copyDatabase();
  const redis = redisUrl ? createScratchRedis(redisUrl, inject('prefix')) : undefined;
  const drop = async (): Promise<void> => {
    await Promise.all([database.drop(), redis?.drop()]);
  };
  try {
    const stack = await startStack({
      database: database.choice,
      schemaApplied: true,
      bundle: readBundle,
      platform: process.env.TEST_PLATFORM === 'node' ? 'node' : 'workerd',
      ...(redis && { redis }),
      ...options,
      vars: { AUTH_KEY: TEST_AUTH_KEY, CHANNEL_KEY: TEST_CHANNEL_KEY, ...options.vars },
    });
    const close = async (): Promise<void> => {
      await stack.close();
      await drop();
    };
    return { ...stack, fetch: fromAnywhere(stack.fetch), close };
  } catch (error) {
    await drop();
    throw error;
  }
}

let requests = 0;

/** Each request comes from another address, unless it names one, so that tests don't use up each other's limits. */
function fromAnywhere(fetch: Stack['fetch']): Stack['fetch'] {
  return (path, init = {}) => {
    if (init.address !== undefined || new Headers(init.headers).has('X-Forwarded-For'))
      return fetch(path, init);
    requests += 1;
    const address = `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
    return fetch(path, { ...init, address });
  };
}

type SharedOptions = Pick<StackOptions, 'log' | 'guides'>;

interface Shared {
  stack: Promise<Stack>;
  /** The log of the file that runs now. */
  log: SharedOptions['log'];
}

/** A worker runs its files one after the other. Its stacks end with it, and what is left on servers is dropped after the run. */
const shared = new Map<SharedOptions['guides'], Shared>();

function takeShared({ log, guides }: SharedOptions): Promise<Stack> {
  let taken = shared.get(guides);
  if (taken === undefined) {
    const started: Shared = {
      log,
      stack: startOwnStack({ ...(guides && { guides }), log: (line) => started.log?.(line) }),
    };
    taken = started;
    shared.set(guides, taken);
  }
  taken.log = log;
  return taken.stack;
}

/**
 * The service that test files share. Each file makes its own tenants and counts only their data. There is one stack for each list of
 * guides. Call the result inside a test.
 */
export const useStack = (options: SharedOptions = {}): (() => Stack) => use(() => takeShared(options));

/**
 * A service for this file (or `describe`) alone, for tests that need options, faults or an empty database. It is closed after them. Call
 * the result inside a test.
 */
export const useOwnStack = (options: StackOptions = {}): (() => Stack) =>
  use(
    () => startOwnStack(options),
    (stack) => stack.close(),
  );

function use(start: () => Promise<Stack>, end?: (stack: Stack) => Promise<void>): () => Stack {
  let stack: Stack | undefined;
  beforeAll(async () => {
    stack = await start();
  });
  afterAll(() => stack && end?.(stack));
  return () => {
    if (stack === undefined) throw new Error('useStack: the stack is there only while tests run');
    return stack;
  };
}
