import type * as v from 'valibot';
import { connectRedis, type Redis } from '../redis.ts';
import type { saltRedisFields } from './env-fields.ts';

/**
 * The Redis that keeps the salt: one of its own, which only `track` and the cron that forgets salts can reach, or the one of all functions.
 */
export function connectSaltRedis(
  env: v.InferOutput<v.ObjectSchema<typeof saltRedisFields, undefined>>,
): Redis {
  const { SALT_REDIS_REST_URL: url, SALT_REDIS_REST_TOKEN: token } = env;
  if (url === undefined && token === undefined)
    return connectRedis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN });
  if (url === undefined || token === undefined)
    throw new Error('SALT_REDIS_REST_URL and SALT_REDIS_REST_TOKEN are set together.');
  return connectRedis({ url, token });
}
