import { addRoutes } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import { everybody } from '../../lib/http/doors.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { answerRendition, type Rendition, renditionOf } from '../../lib/http/rendition.ts';
import { answerHealth } from '../../lib/http/service-health.ts';
import { type HealthBindings, rememberHealth } from './ask-health.ts';
import { routes } from './contract.ts';
import { Env } from './env.ts';
import document from './openapi.generated.json' with { type: 'json' };

/** The OpenAPI document, the service's health, and 404 for every path that no other function answers. */
export function createDocsApp({
  log = logToConsole,
  now = Date.now,
}: {
  log?: Log;
  now?: () => number;
} = {}) {
  let rendered: Rendition | undefined;
  const app = createApp({
    name: 'docs',
    env: Env,
    log,
    resources: (_, bindings: HealthBindings) => ({ bindings }),
  });
  const health = rememberHealth(now);

  addRoutes(app, routes, everybody, {
    getOpenapi: async (_, __, c) => {
      rendered ??= await renditionOf(JSON.stringify(document), 'application/json');
      return answerRendition(c, rendered);
    },
    getHealth: async (_, __, c) => answerHealth(await health(c.env)),
  });
  return app;
}
