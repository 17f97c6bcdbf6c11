import { findApiToken } from '../../lib/accounts/find-api-token.ts';
import type { MemberContext } from '../../lib/context.ts';
import { connectDatabase } from '../../lib/db.ts';
import { type ApiTokenActor, rememberTokens } from '../../lib/http/api-token-gate.ts';
import { redisLimiter } from '../../lib/http/redis-limiter.ts';
import { connectRedis } from '../../lib/redis.ts';
import type { Env } from './env.ts';

/** Specification, "Limits": analytics queries, by token. */
const QUERIES = { name: 'analytics', quota: 100, windowSeconds: 60 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export function createResources(env: Env) {
  const sql = connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT });
  const redis = connectRedis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN });
  return {
    sql,
    limiter: redisLimiter(redis, QUERIES),
    tokens: rememberTokens({ find: (hash) => findApiToken({ sql }, hash) }),
  };
}

/** What a verb gets of the request and of the isolate. */
export function contextOf(c: {
  var: Readonly<{ actor: ApiTokenActor; resources: Resources }>;
}): MemberContext {
  const { actor, resources } = c.var;
  return { actor, sql: resources.sql, now: Date.now };
}
