import type { IngestKeyActor } from '../../lib/context.ts';
import { DEADLINES_MS } from '../../lib/db.ts';
import { connectStores } from '../../lib/http/connect-stores.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { isolateLimiter } from '../../lib/http/isolate-limiter.ts';
import type { LimitPolicy } from '../../lib/http/limiter.ts';
import { guardLookUps } from '../../lib/http/look-ups.ts';
import { sharedCount } from '../../lib/http/redis-limiter.ts';
import { rememberOwners, TOKEN_FRESH_MS } from '../../lib/http/remember-owners.ts';
import type { OutcomesContext } from '../../lib/outcomes/record-outcomes.ts';
import { findIngestKey } from '../../lib/projects/find-ingest-key.ts';
import { createErrorNotes } from '../../lib/telemetry/error-notes.ts';
import { createWaitOut } from '../../lib/telemetry/wait-out.ts';
import type { Env } from './env.ts';
import { RECEIVING, RECORDING } from './limits.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export type Resources = ReturnType<typeof createResources>;

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, now: () => number) {
  const { sql, redis } = connectStores(env, DEADLINES_MS.receiver);
  const waitOut = createWaitOut({ sleep, now });
  const limiterOf = (policy: LimitPolicy) =>
    isolateLimiter({ policy, shared: sharedCount(redis, policy), now });
  return {
    sql,
    now,
    waitOut,
    keys: rememberOwners({
      guard: guardLookUps(now),
      find: (hash) => waitOut(() => findIngestKey({ sql }, hash)),
      freshMs: TOKEN_FRESH_MS,
      now,
    }),
    limiters: { telemetry: limiterOf(RECEIVING), outcomes: limiterOf(RECORDING) },
    noteLater: createErrorNotes({ sleep, now }),
  };
}

/** A request with a known key. */
export type KnownRequest = Passed<Resources, IngestKeyActor>;

/** The verbs' context, from the request and the isolate. */
export const contextOf = ({ var: { actor, requestId, resources } }: KnownRequest): OutcomesContext => ({
  actor,
  requestId,
  sql: resources.sql,
  now: resources.now,
});
