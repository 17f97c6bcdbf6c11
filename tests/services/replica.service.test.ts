/** Questions over REST and of agents, with a streaming replica that is behind. */
import { afterAll, expect, test } from 'vitest';
import { connectDatabase } from '../../lib/db.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { asMember } from '../functions/telemetry/member.ts';
import { awaitLevel, whilePaused } from '../provider/replication.ts';
import { startPostgres } from '../provider/start-postgres.ts';
import { addIngestKey } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { startOwnStack } from './use-stack.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

test('are answered by the replica, which says as of when, by the rights of each function’s role', async () => {
  const primary = await startPostgres();
  closers.push(primary.close);
  const copy = await primary.replicate();
  closers.push(copy.close);
  const stack = await startOwnStack({ database: primary, replica: copy, schemaApplied: false });
  closers.push(stack.close);
  const copyNeon = await startNeon({ database: copy });
  closers.push(copyNeon.close);
  const { sql } = stack;
  const tenant = await createTenant(sql);
  const { environmentId } = await addIngestKey(sql, tenant.projectId);
  const member = asMember(stack, tenant, { ...tenant, environmentId });
  const view = async () => {
    const body = {
      site: tenant.siteId,
      events: [
        {
          id: crypto.randomUUID(),
          type: 'pageview',
          pageId: crypto.randomUUID(),
          url: 'https://example.com/',
        },
      ],
    };
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 Firefox/140.0' };
    const { status } = await stack.fetch('/api/v1/track', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(status).toBe(202);
  };
  const overview = async () => {
    const response = await stack.fetch(`/api/v1/sites/${tenant.siteId}/analytics/overview?period=7d`, {
      headers: { Authorization: `Bearer ${tenant.token}` },
    });
    const { data, meta } = (await response.json()) as {
      data: { pageviews: number };
      meta: { freshness: { evaluatedAt: string } };
    };
    return { pageviews: data.pageviews, asOf: Date.parse(meta.freshness.evaluatedAt) };
  };
  await view();
  await expect.poll(async () => (await overview()).pageviews).toBe(1);
  await awaitLevel(sql, connectDatabase(copyNeon));
  const known = Date.now();
  await whilePaused(copy, async () => {
    await view();
    const [stored] = await sql`select sum(pageviews)::int as pageviews from rollup_hours`;
    expect(stored?.pageviews).toBe(2);
    const { pageviews, asOf } = await overview();
    expect(pageviews).toBe(1);
    expect(asOf).toBeLessThanOrEqual(known);
    expect((await member.send('GET', 'services')).status).toBe(200);
    const stranger = await createTenant(sql);
    const refused = await stack.fetch(`/api/v1/sites/${tenant.siteId}/analytics/overview?period=7d`, {
      headers: { Authorization: `Bearer ${stranger.token}` },
    });
    expect(refused.status).toBe(404);
  });
  await expect.poll(async () => (await overview()).pageviews).toBe(2);
}, 180_000);
