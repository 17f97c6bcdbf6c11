import type { RedisAddress } from '../../lib/redis.ts';

const ADVICE = `Start npm run dev in another terminal, or set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN
to the deployment's Redis.`;

/** The Redis to publish to: from the environment, otherwise that of a running `npm run dev`. Throws a sentence for the operator. */
export function findRedis(
  env: Readonly<Record<string, string | undefined>>,
  running: { redis?: RedisAddress } | undefined,
): RedisAddress {
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env;
  if (url && token) return { url, token };
  if (url || token) {
    throw new Error(
      `UPSTASH_REDIS_REST_${url ? 'TOKEN' : 'URL'} is missing beside UPSTASH_REDIS_REST_${url ? 'URL' : 'TOKEN'}.`,
    );
  }
  if (running?.redis === undefined) throw new Error(`There is no Redis to publish to. ${ADVICE}`);
  return running.redis;
}
