import { toHex } from '../../lib/bytes.ts';
import { createApp } from '../../lib/http/app.ts';
import { matchesEtag } from '../../lib/http/etag.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { NoQuery, readQuery } from '../../lib/http/read.ts';
import { Env } from './env.ts';
import document from './openapi.generated.json' with { type: 'json' };

/** The document's text and its strong tag. */
async function render(): Promise<{ text: string; etag: string }> {
  const text = JSON.stringify(document);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return { text, etag: `"${toHex(new Uint8Array(digest)).slice(0, 32)}"` };
}

/** The OpenAPI document, and 404 for every path that nobody else answers. */
export function createDocsApp({ log = logToConsole }: { log?: Log } = {}) {
  let rendered: Awaited<ReturnType<typeof render>> | undefined;
  const app = createApp({ name: 'docs', env: Env, log, resources: () => ({}) });

  return app.get('/api/openapi.json', async (c) => {
    readQuery(c, NoQuery);
    rendered ??= await render();
    c.header('ETag', rendered.etag);
    c.header('Cache-Control', 'public, max-age=300');
    if (matchesEtag(c.req.header('If-None-Match'), rendered.etag)) return c.body(null, 304);
    return c.body(rendered.text, 200, { 'Content-Type': 'application/json' });
  });
}

export type AppType = ReturnType<typeof createDocsApp>;
