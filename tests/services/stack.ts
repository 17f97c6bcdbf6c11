/** The whole service for a test file: embedded, or on the servers of TEST_DATABASE_URL and TEST_REDIS_URL. */
import { afterAll, beforeAll } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { createScratchRedis } from '../../dev/scratch-redis.ts';
import { type Stack, type StackOptions, startStack } from '../../dev/stack.ts';
import { TEST_AUTH_KEY } from '../security/session.ts';

/** A stack with a database and a Redis of its own: each publishes its guides. `close` drops both. */
async function startTestStack(options: StackOptions = {}): Promise<Stack> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = process.env;
  const database = databaseUrl ? await createScratchDatabase(databaseUrl) : undefined;
  const redis = redisUrl ? createScratchRedis(redisUrl) : undefined;
  const drop = async (): Promise<void> => {
    await Promise.all([database?.drop(), redis?.drop()]);
  };
  try {
    const stack = await startStack({
      ...(database && { database: { url: database.url } }),
      ...(redis && { redis }),
      ...options,
      vars: { AUTH_KEY: TEST_AUTH_KEY, ...options.vars },
    });
    const close = async (): Promise<void> => {
      await stack.close();
      await drop();
    };
    return { ...stack, close };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Starts a stack before the tests of a file (or `describe`) and closes it after them. Call the result inside a test. */
export function useStack(options: StackOptions = {}): () => Stack {
  let stack: Stack | undefined;
  beforeAll(async () => {
    stack = await startTestStack(options);
  });
  afterAll(() => stack?.close());
  return () => {
    if (stack === undefined) throw new Error('useStack: the stack is there only while tests run');
    return stack;
  };
}
