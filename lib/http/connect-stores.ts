import type * as v from 'valibot';
import { connectDatabase } from '../db.ts';
import { connectRedis } from '../redis.ts';
import type { databaseFields, redisFields } from './env-fields.ts';

export type StoresEnv = v.InferOutput<v.ObjectSchema<typeof databaseFields & typeof redisFields, undefined>>;

/** Connects to the database and the Redis of a function's variables. Made once per isolate. */
export const connectStores = (env: StoresEnv) => ({
  sql: connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT }),
  redis: connectRedis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN }),
});
