import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { NoQuery, readQuery } from '../../lib/http/read.ts';
import { answerRendition, type Rendition, renditionOf } from '../../lib/http/rendition.ts';
import { Env } from './env.ts';
import document from './openapi.generated.json' with { type: 'json' };

/** The OpenAPI document, and 404 for every path that nobody else answers. */
export function createDocsApp({ log = logToConsole }: { log?: Log } = {}) {
  let rendered: Rendition | undefined;
  const app = createApp({ name: 'docs', env: Env, log, resources: () => ({}) });

  return app.get('/api/openapi.json', async (c) => {
    readQuery(c, NoQuery);
    rendered ??= await renditionOf(JSON.stringify(document), 'application/json');
    return answerRendition(c, rendered);
  });
}

export type AppType = ReturnType<typeof createDocsApp>;
