/** The summaries of a person's sites equal what each site's `overview`, `timeseries` and `live` say, whatever came in. */
import fc from 'fast-check';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { reportLive } from '../../lib/analytics/series/live.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { listSitesWithSummaries } from '../../lib/analytics/series/site-summaries.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { connectDatabase } from '../../lib/db.ts';
import type { SitesContext } from '../../lib/sites/site.ts';
import { listSites } from '../../lib/sites/sites.ts';
import { PERIODS } from '../../lib/visits/periods.ts';
import { deliveries, streams, ZONES } from '../oracle/streams.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { createProject, createSite, createTenant } from '../security/tenant.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

test('summaries agree with the reports of each site', async () => {
  const { address, fetch } = database();
  const fetched = vi.fn(fetch);
  const sql = connectDatabase({ url: address.url, fetch: fetched });
  const drawn = streams(30).chain((first) =>
    fc.record({
      first: fc.constant(first),
      others: fc.array(fc.record({ stream: streams(20), zone: fc.constantFrom(...ZONES) }), {
        minLength: 1,
        maxLength: 3,
      }),
      batches: deliveries(first.messages(PLACEHOLDER)),
    }),
  );
  let live = 0;
  await assertUntil(
    () => live > 0,
    fc.asyncProperty(drawn, async ({ first, others, batches }) => {
      const { now } = first;
      const tenant = await createTenant(sql);
      const { userId } = tenant;
      const actor = { kind: 'session', sessionId: '', userId } as const;
      const call = { requestId: '', tool: 'listSites', inputHash: null };
      const ctx: SitesContext = { ...call, sql, actor, publicUrl: 'https://vendor.example', now: () => now };
      await sql`update sites set timezone = ${first.zone} where id = ${tenant.siteId}`;
      for (const batch of batches)
        await ingestMessages(
          { sql, now: () => now },
          batch.map((message) => ({ ...message, siteId: tenant.siteId })),
        );
      // Their ends differ, so some of what they send is older than the range.
      const project = await createProject(sql, tenant, 'viewer');
      for (const { stream, zone } of others) {
        const siteId = await createSite(sql, project);
        await sql`update sites set timezone = ${zone} where id = ${siteId}`;
        await ingestMessages({ sql, now: () => stream.now }, stream.messages(siteId));
      }

      for (const period of PERIODS) {
        fetched.mockClear();
        const listed = await listSitesWithSummaries(ctx, { period });
        expect(fetched).toHaveBeenCalledOnce();
        expect(listed.map(({ summary, ...site }) => site)).toEqual(await listSites(ctx));
        expect(listed).toHaveLength(1 + others.length);
        for (const { id: siteId, summary } of listed) {
          const input = { siteId, range: { period } };
          const { data, meta } = await reportOverview(ctx, input);
          const { visitors, visits, pageviews, visitorsChange } = data;
          const { changesUnknown } = meta.coverage;
          const interval = period === '24h' ? 'hour' : 'day';
          const points = (await reportTimeseries(ctx, { ...input, interval })).data;
          const { count } = (await reportLive(ctx, { siteId })).data;
          live += count;
          expect([period, summary]).toEqual([
            period,
            {
              visitors,
              visits,
              pageviews,
              visitorsChange,
              ...(changesUnknown !== undefined && { changesUnknown }),
              live: count,
              spark: points.map((point) => point.visits),
            },
          ]);
        }
      }
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 4), endOnFailure: true },
  );
}, 300_000);

test('each of a person’s sites is summed up once', async () => {
  const { address, fetch, sql: own, server } = database();
  const fetched = vi.fn(fetch);
  const tenant = await createTenant(own);
  const project = await createProject(own, tenant, 'viewer');
  for (let n = 0; n < 20; n++) await createSite(own, project);
  const ctx: SitesContext = {
    ...{ requestId: '', tool: 'listSites', inputHash: null, publicUrl: 'https://vendor.example' },
    sql: connectDatabase({ url: address.url, fetch: fetched }),
    actor: { kind: 'session', sessionId: '', userId: tenant.userId },
    now: Date.now,
  };
  expect(await listSitesWithSummaries(ctx, { period: '24h' })).toHaveLength(21);
  const { queries } = JSON.parse(String(fetched.mock.lastCall?.[1]?.body));
  const { query, params } = queries.find((asked: { query: string }) => asked.query.includes('as spark'));
  const client = new pg.Client(server);
  await client.connect();
  try {
    // As the planner does if it takes the sites for one.
    await client.query('set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off');
    const { rows } = await client.query(`explain (analyze, format json) ${query}`, params);
    const scans =
      JSON.stringify(rows).match(/"Relation Name":"rollup_visitors"[^{}]*"Actual Loops":\d+/g) ?? [];
    expect(scans.map((scan) => Number(scan.match(/\d+$/)))).toEqual([21, 21]);
  } finally {
    await client.end();
  }
});
