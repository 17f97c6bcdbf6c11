import type { AuditedContext } from '../../lib/audit.ts';
import type { ApiTokenActor } from '../../lib/http/api-token-gate.ts';
import { createDelivery, type DeliveryBindings } from '../../lib/http/deliver.ts';
import type { Log } from '../../lib/http/log.ts';
import { createMemberApi } from '../../lib/http/member-api.ts';
import type { SitesContext } from '../../lib/sites/site.ts';
import type { Env } from './env.ts';

/** Site management, by token (docs/limits.md#requests). */
const MANAGEMENT = { name: 'sites', quota: 60, windowSeconds: 60 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export function createResources(env: Env, bindings: DeliveryBindings, log: Log) {
  return {
    ...createMemberApi(env, MANAGEMENT),
    publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
    deliver: createDelivery(bindings, { name: 'sites', now: Date.now, log }),
  };
}

interface Request {
  var: Readonly<{ actor: ApiTokenActor; requestId: string; resources: Resources }>;
}

/** What a verb gets of the request and of the isolate. */
export function contextOf(c: Request): SitesContext & AuditedContext {
  const { actor, requestId, resources } = c.var;
  return { actor, requestId, sql: resources.sql, publicUrl: resources.publicUrl, now: Date.now };
}
