import type { SessionActor } from '../../lib/accounts/find-session.ts';
import { createSessionApi } from '../../lib/http/session-api.ts';
import type { ProjectContext } from '../../lib/projects/project.ts';
import type { Env } from './env.ts';

/** Whatever a person asks or changes of telemetry. */
const TELEMETRY = { name: 'telemetry', quota: 120, windowSeconds: 60 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export const createResources = (env: Env) => createSessionApi(env, TELEMETRY);

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
