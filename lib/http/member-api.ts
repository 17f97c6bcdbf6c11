import { findApiToken } from '../accounts/find-api-token.ts';
import { connectDatabase } from '../db.ts';
import { connectRedis } from '../redis.ts';
import { rememberTokens } from './api-token-gate.ts';
import type { LimitPolicy } from './limiter.ts';
import { redisLimiter } from './redis-limiter.ts';

interface MemberApiEnv {
  DATABASE_URL: string;
  DATABASE_HTTP_ENDPOINT?: string | undefined;
  UPSTASH_REDIS_REST_URL: string;
  UPSTASH_REDIS_REST_TOKEN: string;
}

/** What an API behind API tokens makes once an isolate: its database, its limit by token, and the tokens it knows. */
export function createMemberApi(env: MemberApiEnv, policy: LimitPolicy) {
  const sql = connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT });
  const redis = connectRedis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN });
  return {
    sql,
    redis,
    limiter: redisLimiter(redis, policy),
    tokens: rememberTokens({ find: (hash) => findApiToken({ sql }, hash) }),
  };
}
