import type { Context, ReportContext } from '../../lib/context.ts';
import { createCursors } from '../../lib/cursor.ts';
import { rememberTokens } from '../../lib/http/api-token-gate.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import { createMemberApi } from '../../lib/http/member-api.ts';
import { redisLimiter } from '../../lib/http/redis-limiter.ts';
import { findShare } from '../../lib/shares/find-share.ts';
import { createUnlockTokens } from '../../lib/shares/unlock-tokens.ts';
import type { Env } from './env.ts';

/** Reports, by token (docs/limits.md#requests). */
const QUERIES = { name: 'analytics', quota: 100, windowSeconds: 60 };
/** The same for whoever reads a share, by share and address. */
const SHARED_QUERIES = { name: 'shares', quota: 100, windowSeconds: 60 };
/** Guesses of a share's password, by share and address, and by share alone for whoever has many addresses. */
const GUESSES = { name: 'unlock', quota: 10, windowSeconds: 60 };
const ALL_GUESSES = { name: 'unlock-all', quota: 600, windowSeconds: 3600 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export function createResources(env: Env) {
  const api = createMemberApi(env, QUERIES);
  const { redis, sql } = api;
  return {
    ...api,
    cursors: createCursors(env.CURSOR_KEY),
    addressKey: addressKeys(env.ADDRESS_KEY),
    shares: rememberTokens({ find: (hash) => findShare({ sql }, hash) }),
    shareLimiter: redisLimiter(redis, SHARED_QUERIES),
    guessLimiter: redisLimiter(redis, GUESSES),
    allGuessesLimiter: redisLimiter(redis, ALL_GUESSES),
    unlockTokens: createUnlockTokens(env.SHARE_KEY),
  };
}

/** What a verb gets of the request and of the isolate. */
export function contextOf<Reader extends ReportContext['actor']>(c: {
  var: Readonly<{ actor: Reader; resources: Resources }>;
}): Context<Reader> {
  const { actor, resources } = c.var;
  return { actor, sql: resources.sql, now: Date.now };
}
