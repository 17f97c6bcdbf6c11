import { sessionCookieOf } from '../../lib/accounts/auth/session-cookie.ts';
import { findSession, type SessionActor } from '../../lib/accounts/find-session.ts';
import { connectDatabase } from '../../lib/db.ts';
import { redisLimiter } from '../../lib/http/redis-limiter.ts';
import type { ProjectContext } from '../../lib/projects/project.ts';
import { connectRedis } from '../../lib/redis.ts';
import type { Env } from './env.ts';

/** Whatever a person asks or changes of telemetry. */
const TELEMETRY = { name: 'telemetry', quota: 120, windowSeconds: 60 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export function createResources(env: Env) {
  const sql = connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT });
  const redis = connectRedis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN });
  return {
    sql,
    origin: new URL(env.PUBLIC_URL).origin,
    sessions: {
      cookie: sessionCookieOf(env.PUBLIC_URL),
      find: (value: string) => findSession({ sql }, value),
    },
    limiter: redisLimiter(redis, TELEMETRY),
  };
}

interface Request {
  var: Readonly<{ actor: SessionActor; requestId: string; resources: Resources }>;
}

/** What a verb gets of the request and of the isolate. */
export const contextOf = ({ var: { actor, requestId, resources } }: Request): ProjectContext => ({
  actor,
  requestId,
  sql: resources.sql,
  now: Date.now,
});
