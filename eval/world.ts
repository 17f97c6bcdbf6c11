/** The demo site and its backend, filled with a fixed seed and instant, and an MCP endpoint whose clock stands still at that instant. */

import { defineDemo, demoCall } from '../dev/demo/define-goals.ts';
import { fillSite } from '../dev/demo/fill-demo-site.ts';
import { generateBackendDay } from '../dev/demo/telemetry/backend-day.ts';
import { demoSender, fillBackend } from '../dev/demo/telemetry/fill-demo-backend.ts';
import { ensureDemoAccount, ensureDemoSite, withSession } from '../dev/demo-account.ts';
import { createMcpApp } from '../functions/mcp/app.ts';
import type { Sql } from '../lib/db.ts';
import { createShareSecrets } from '../lib/shares/secret.ts';
import { sumErrors } from '../lib/telemetry/errors/sum-errors.ts';
import { rollUpSpans } from '../lib/telemetry/roll-up-spans.ts';
import { startUpstash } from '../tooling/upstash/start-upstash.ts';

export const DAYS = 30;
export const SEED = 20_261_001;
/** A Sunday, 10:00 UTC. */
export const NOW = Date.UTC(2026, 10, 22, 10);
export const ORIGIN = 'https://eval.example';

export interface EvalWorld {
  siteId: string;
  /** The owner of everything. */
  userId: string;
  /** Opens everything. */
  token: string;
  /** The endpoint, as if it were at `ORIGIN`. */
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

/** Fills the database and starts the endpoint. */
export async function createEvalWorld(
  { sql, url, endpoint }: { sql: Sql; url: string; endpoint: string | undefined },
  onDay: (line: string) => void = () => {},
): Promise<EvalWorld> {
  const { siteId, userId, projectId, environmentId } = await ensureDemoSite(sql);
  const now = () => NOW;
  await fillSite({
    ...{ sql, siteId, days: DAYS, seed: SEED, now: NOW },
    ordersOf: (day) => generateBackendDay(SEED, day, NOW).orders,
    onDay: ({ day, of }) => onDay(`day ${day} of ${of} of the site`),
  });
  await withSession(sql, userId, (actor) =>
    defineDemo(
      { ...demoCall, sql, actor, publicUrl: ORIGIN, shareSecrets: createShareSecrets('s'.repeat(32)), now },
      { siteId, projectId, environmentId, days: DAYS },
    ),
  );
  const ctx = { ...(await demoSender(sql, { projectId, environmentId })), now };
  await fillBackend({
    ...{ ctx, days: DAYS, seed: SEED },
    onDay: ({ day, of }) => onDay(`day ${day} of ${of} of the backend`),
  });
  await rollUpSpans({ sql, now });
  await sumErrors({ sql, now });
  const { queryToken: token } = await ensureDemoAccount(sql);
  const upstash = await startUpstash({ redis: 'memory' });
  const app = createMcpApp({ now, log: () => {} });
  const env = {
    ...{ DATABASE_URL: url, ...(endpoint !== undefined && { DATABASE_HTTP_ENDPOINT: endpoint }) },
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
    PUBLIC_URL: ORIGIN,
    CURSOR_KEY: 'a key for cursors of evaluations only',
  };
  return {
    ...{ siteId, userId, token },
    fetch: async (address, init) => app.fetch(new Request(address, init), env),
    close: () => upstash.close(),
  };
}
