import type * as v from 'valibot';
import { connectDatabase, DEADLINES_MS, type Sql } from '../db.ts';
import { COUNT_TIMEOUT_MS, connectRedis } from '../redis.ts';
import { createReplica, type Replica } from '../replica.ts';
import type { databaseFields, redisFields, replicaFields } from './env-fields.ts';

export type StoresEnv = v.InferOutput<v.ObjectSchema<typeof databaseFields & typeof redisFields, undefined>>;

/** Connects to the database of a function's variables. */
export const connectSql = (
  env: Pick<StoresEnv, 'DATABASE_URL' | 'DATABASE_HTTP_ENDPOINT'>,
  deadlineMs: (typeof DEADLINES_MS)[keyof typeof DEADLINES_MS],
): Sql => connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT, deadlineMs });

type ReplicaEnv = v.InferOutput<v.ObjectSchema<typeof replicaFields, undefined>>;

/** Connects to the replica of a function's variables, if they name one. Made once per isolate. */
export function connectReplica({
  DATABASE_READ_URL: url,
  DATABASE_READ_HTTP_ENDPOINT: endpoint,
}: ReplicaEnv): Replica | undefined {
  if (url === undefined) return undefined;
  return createReplica(connectDatabase({ url, endpoint, deadlineMs: DEADLINES_MS.replica }));
}

/** Connects to the database and the Redis of a function's variables. Made once per isolate. */
export const connectStores = (env: StoresEnv, deadlineMs: Parameters<typeof connectSql>[1]) => ({
  sql: connectSql(env, deadlineMs),
  redis: connectRedis(
    { url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN },
    COUNT_TIMEOUT_MS,
  ),
});
