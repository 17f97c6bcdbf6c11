import type { Stack } from '../../../dev/stack.ts';
import { createAnalyticsApp } from '../../../functions/analytics/app.ts';

export type Door = (stack: Stack, path: string, init: RequestInit) => Promise<Response>;

const app = createAnalyticsApp({ log: () => {} });

/** The analytics function on the databases of a stack, called in this very process. */
const node: Door = async (stack, path, init) =>
  app.request(path, init, {
    DATABASE_URL: stack.neon.url,
    DATABASE_HTTP_ENDPOINT: stack.neon.endpoint,
    UPSTASH_REDIS_REST_URL: stack.upstash.url,
    UPSTASH_REDIS_REST_TOKEN: stack.upstash.token,
    CURSOR_KEY: 'c'.repeat(32),
  });

/** The same app behind the front door of the service and `sites`, in workerd, and under Node. */
export const doors: Record<'workerd' | 'node', Door> = {
  workerd: (stack, path, init) => stack.fetch(path, init),
  node,
};
