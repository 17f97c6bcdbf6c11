import type { Stack } from '../../../dev/stack.ts';
import { createSitesApp } from '../../../functions/sites/app.ts';

export type Door = (stack: Stack, path: string, init: RequestInit) => Promise<Response>;

const app = createSitesApp({ log: () => {} });

/** What the sites function needs to run in this process on the databases of a stack. Nothing reads its queue. */
export const envOf = (stack: Stack) => ({
  DATABASE_URL: stack.neon.url,
  DATABASE_HTTP_ENDPOINT: stack.neon.endpoint,
  UPSTASH_REDIS_REST_URL: stack.upstash.url,
  UPSTASH_REDIS_REST_TOKEN: stack.upstash.token,
  PUBLIC_URL: stack.baseUrl,
  SHARE_KEY: 's'.repeat(32),
  ANALYTICS: {
    fetch: async (request: Request) =>
      Response.json({
        path: new URL(request.url).pathname,
        requestId: request.headers.get('X-Request-Id'),
      }),
  },
  EVENTS: { sendBatch: async () => {} },
  INGEST: { fetch: async () => new Response(null, { status: 503 }) },
});

const node: Door = async (stack, path, init) => app.request(path, init, envOf(stack));

/** The same app behind the front door of the service, in workerd, and under Node. */
export const doors: Record<'workerd' | 'node', Door> = {
  workerd: (stack, path, init) => stack.fetch(path, init),
  node,
};
