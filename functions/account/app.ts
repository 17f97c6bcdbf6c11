import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { ownOrigin } from '../../lib/http/session-api.ts';
import { addAuthRoutes } from './auth-routes.ts';
import { Env } from './env.ts';
import { addEnvironmentRoutes } from './environment-routes.ts';
import { createGuards } from './guards.ts';
import { addKeyRoutes } from './key-routes.ts';
import { addMemberRoutes } from './member-routes.ts';
import { addPageRoutes } from './page-routes.ts';
import { addProjectRoutes } from './project-routes.ts';
import { createResources, type Resources } from './resources.ts';
import { addSessionRoutes } from './session-routes.ts';

/** People, their projects and their keys (docs/accounts.md). Only pages of the service itself may ask. */
export function createAccountApp({ log = logToConsole }: { log?: Log } = {}) {
  const guards = createGuards();
  const app = createApp({ name: 'account', env: Env, log, resources: (env) => createResources(env, log) });
  app.use('*', ownOrigin<Resources>());
  addPageRoutes(app);
  addAuthRoutes(app, guards);
  addSessionRoutes(app, guards);
  addKeyRoutes(app, guards);
  addProjectRoutes(app, guards);
  addMemberRoutes(app, guards);
  return addEnvironmentRoutes(app, guards);
}

export type AppType = ReturnType<typeof createAccountApp>;
