/** How often a tool asks the database: the driver sends one request for a statement, or for several together. */
import { expect, test } from 'vitest';
import type { AgentContext } from '../../../functions/mcp/agent-context.ts';
import { toolNamed } from '../../../functions/mcp/tool-list.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { createCursors } from '../../../lib/cursor.ts';
import { connectDatabase, type DriverFetch } from '../../../lib/db.ts';
import { counts, pageview } from '../../lib/analytics/reports-world.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';
import { BACKEND_CALLS, SITE_CALLS } from './agent.ts';

const database = useDatabase();

async function createSiteAndEnvironment() {
  const { address, fetch } = database();
  let [open, trips] = [0, 0];
  const counted: DriverFetch = async (...request) => {
    // What is noted for later follows the answer, and nobody waits for it.
    if (String(request[1]?.body).includes('note_filter')) return fetch(...request);
    if (open === 0) trips += 1;
    open += 1;
    try {
      return await fetch(...request);
    } finally {
      open -= 1;
    }
  };
  const sql = connectDatabase({ url: address.url, fetch: counted });
  const { userId, siteId, projectId } = await createTenant(sql);
  const [row] =
    await sql`insert into environments (project_id, name) values (${projectId}, 'live') returning id`;
  const scopes = ['analytics:read', 'telemetry:read', 'outcomes:read'];
  const ctx: AgentContext = {
    actor: {
      ...{ kind: 'queryToken', tokenId: crypto.randomUUID(), userId, scopes },
      ...{ projectIds: null, siteIds: null },
    },
    sql,
    now: Date.now,
    cursors: createCursors('a key for cursors of tests of trips only'),
    pageUrl: (path: string) => path,
    requestId: 'trips',
    afterwards: (work: Promise<unknown>) => void work.catch(() => {}),
  };
  /** The moments at which requests to the database began, as steps: those that run side by side are one. */
  const countTrips = async (tool: string, args: object): Promise<{ trips: number; answer: unknown }> => {
    trips = 0;
    const answer = await toolNamed(tool)?.call(ctx, args);
    return { trips, answer };
  };
  const fold = (message: ReturnType<typeof counts>) => foldBatch(sql, [{ ...message, siteId }], Date.now());
  return { siteId, environmentId: row?.id as string, countTrips, fold };
}

test.each(Object.entries(SITE_CALLS))('%s asks once if the site is given by its id', async (tool, args) => {
  const { siteId, countTrips } = await createSiteAndEnvironment();
  const { trips, answer } = await countTrips(tool, { ...args, site: siteId });
  expect([trips, answer]).toEqual([
    1,
    expect.objectContaining({ scope: expect.objectContaining({ siteId }) }),
  ]);
  const named = await countTrips(tool, { ...args, site: 'example.com' });
  expect(named.trips).toBe(2);
  const again = await countTrips(tool, { ...args, site: siteId });
  expect([again.trips, again.answer]).toEqual([
    1,
    expect.objectContaining({ scope: expect.objectContaining({ site: 'example.com' }) }),
  ]);
});

const PLAIN = Object.entries(BACKEND_CALLS).filter(
  ([tool]) => !['summarize_service', 'get_trace', 'query_metric'].includes(tool),
);

/** Where nothing failed, it also asks when something last did. */
const MORE: Record<string, number> = { find_traces: 1 };

test.each(PLAIN)(
  '%s asks once if the environment is given by an id that was asked for before',
  async (tool, args) => {
    const { environmentId, countTrips } = await createSiteAndEnvironment();
    const more = MORE[tool] ?? 0;
    expect((await countTrips(tool, { ...args, environment: 'live' })).trips).toBe(2 + more);
    expect((await countTrips(tool, { ...args, environment: environmentId })).trips).toBe(1 + more);
  },
);

test('an id that the token doesn’t open is an error with those that it does', async () => {
  const { siteId, environmentId, countTrips } = await createSiteAndEnvironment();
  const foreign = crypto.randomUUID();
  await expect(countTrips('break_down_visits', { by: 'page', site: foreign })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    choices: [{ id: siteId }],
  });
  await expect(countTrips('find_logs', { environment: foreign })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    choices: [{ id: environmentId }],
  });
});

test('filters whose values are there cost no trip more; others are read as the site writes them', async () => {
  const { siteId, countTrips, fold } = await createSiteAndEnvironment();
  await fold(
    counts([pageview(new Date().toISOString(), '/pricing', { source: 'Google' })], { country: 'PT' }),
  );
  const ask = (...filters: string[]) => countTrips('summarize_site', { site: siteId, filters });
  expect((await ask('country is PT', 'source is Google', 'page contains pri', 'tier is 1')).trips).toBe(1);
  // The report, the nearest values, and the report again.
  expect((await ask('country is Portugal', 'source is google')).trips).toBe(3);
  // The report and the nearest values.
  expect((await ask('country is Atlantis')).trips).toBe(2);
});
