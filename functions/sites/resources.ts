import { findApiToken } from '../../lib/accounts/find-api-token.ts';
import { connectDatabase } from '../../lib/db.ts';
import { type ApiTokenActor, rememberTokens } from '../../lib/http/api-token-gate.ts';
import { redisLimiter } from '../../lib/http/redis-limiter.ts';
import { connectRedis } from '../../lib/redis.ts';
import type { SitesContext } from '../../lib/sites/site.ts';
import type { Env } from './env.ts';

/** Specification, "Limits": site management, by token. */
const MANAGEMENT = { name: 'sites', quota: 60, windowSeconds: 60 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export function createResources(env: Env) {
  const sql = connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT });
  const redis = connectRedis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN });
  return {
    sql,
    limiter: redisLimiter(redis, MANAGEMENT),
    tokens: rememberTokens({ find: (hash) => findApiToken({ sql }, hash) }),
    publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
  };
}

/** What a verb gets of the request and of the isolate. */
export function contextOf(c: {
  var: Readonly<{ actor: ApiTokenActor; resources: Resources }>;
}): SitesContext {
  const { actor, resources } = c.var;
  return { actor, sql: resources.sql, publicUrl: resources.publicUrl, now: Date.now };
}
