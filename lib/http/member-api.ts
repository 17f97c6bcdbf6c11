import { findApiToken } from '../accounts/find-api-token.ts';
import { rememberTokens } from './api-token-gate.ts';
import { connectStores, type StoresEnv } from './connect-stores.ts';
import type { LimitPolicy } from './limiter.ts';
import { redisLimiter } from './redis-limiter.ts';

/** What an API behind API tokens makes once an isolate: its database, its limit by token, and the tokens it knows. */
export function createMemberApi(env: StoresEnv, policy: LimitPolicy) {
  const { sql, redis } = connectStores(env);
  return {
    sql,
    redis,
    limiter: redisLimiter(redis, policy),
    tokens: rememberTokens({ find: (hash) => findApiToken({ sql }, hash) }),
  };
}
