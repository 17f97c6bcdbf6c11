import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { ownOrigin } from '../../lib/http/session-api.ts';
import { addControlRoutes } from './control-routes.ts';
import { Env } from './env.ts';
import { createGuards } from './guards.ts';
import { addKeyRoutes } from './key-routes.ts';
import { addLogRoutes } from './log-routes.ts';
import { addMetricRoutes } from './metric-routes.ts';
import { addOutcomeRoutes } from './outcome-routes.ts';
import { createResources, type Resources } from './resources.ts';
import { addTraceRoutes } from './trace-routes.ts';

/** Queries and control of backend telemetry (docs/telemetry.md#queries). */
export function createTelemetryApp({ log = logToConsole }: { log?: Log } = {}) {
  const guards = createGuards();
  const app = createApp({ name: 'telemetry', env: Env, log, resources: (env) => createResources(env) });
  app.use('*', ownOrigin<Resources>());
  addKeyRoutes(app, guards);
  addLogRoutes(app, guards);
  addMetricRoutes(app, guards);
  addControlRoutes(app, guards);
  addOutcomeRoutes(app, guards);
  return addTraceRoutes(app, guards);
}

export type AppType = ReturnType<typeof createTelemetryApp>;
