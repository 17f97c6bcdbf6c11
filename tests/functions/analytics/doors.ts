import type { Stack } from '../../../dev/stack.ts';
import { createAnalyticsApp } from '../../../functions/analytics/app.ts';
import type { Tenant } from '../../security/tenant.ts';

export type Door = (stack: Stack, path: string, init: RequestInit) => Promise<Response>;

const app = createAnalyticsApp({ log: () => {} });

/** The variables of the function. */
export const envOf = ({ neon, upstash }: Stack) => ({
  DATABASE_URL: neon.url,
  DATABASE_HTTP_ENDPOINT: neon.endpoint,
  UPSTASH_REDIS_REST_URL: upstash.url,
  UPSTASH_REDIS_REST_TOKEN: upstash.token,
  PUBLIC_URL: 'https://vendor.example',
  CURSOR_KEY: 'c'.repeat(32),
  ADDRESS_KEY: 'a'.repeat(32),
  SHARE_KEY: 's'.repeat(32),
});

/** The analytics function on the databases of a stack, called in this process. */
const node: Door = async (stack, path, init) => app.request(path, init, envOf(stack));

/** The same app behind the front door of the service and `sites`, in workerd, and under Node. */
export const doors: Record<'workerd' | 'node', Door> = {
  workerd: (stack, path, init) => stack.fetch(path, init),
  node,
};

/** A report of a tenant's site, by its path below `analytics/`. */
export async function getReport(door: Door, stack: Stack, { siteId, token }: Tenant, report: string) {
  const response = await door(stack, `/api/v1/sites/${siteId}/analytics/${report}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}
