import type * as v from 'valibot';
import { connectDatabase, type DEADLINES_MS, type Sql } from '../db.ts';
import { COUNT_TIMEOUT_MS, connectRedis } from '../redis.ts';
import type { databaseFields, redisFields } from './env-fields.ts';

export type StoresEnv = v.InferOutput<v.ObjectSchema<typeof databaseFields & typeof redisFields, undefined>>;

/** Connects to the database of a function's variables. */
export const connectSql = (
  env: Pick<StoresEnv, 'DATABASE_URL' | 'DATABASE_HTTP_ENDPOINT'>,
  deadlineMs: (typeof DEADLINES_MS)[keyof typeof DEADLINES_MS],
): Sql => connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT, deadlineMs });

/** Connects to the database and the Redis of a function's variables. Made once per isolate. */
export const connectStores = (env: StoresEnv, deadlineMs: Parameters<typeof connectSql>[1]) => ({
  sql: connectSql(env, deadlineMs),
  redis: connectRedis(
    { url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN },
    COUNT_TIMEOUT_MS,
  ),
});
