/** What a page's visits asked of backends: figures, filters, and the limit of 50 a page view. */
import { expect, test } from 'vitest';
import { reportAssociations } from '../../../lib/analytics/lists/associations.ts';
import { reportNamed } from '../../../lib/analytics/reports.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import { createSite } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';
import { createEnvironment, NOW, type StoredSpan } from '../telemetry/stored-spans.ts';

const database = useDatabase();
const API = 'https://api.example.com';
const traceIdOf = (n: number): string => n.toString(16).padStart(32, '0');
const at = NOW - 60_000;

async function makeWorld() {
  const { sql } = database();
  const { ids, ctx, store } = await createEnvironment(sql);
  const siteId = await createSite(sql, ids.projectId);
  await sql`insert into environment_origins (environment_id, origin) values (${ids.environmentId}, ${API})`;
  /** A visit that reported these traces on `/checkout`, in batches of this size. */
  const visit = async (traces: readonly number[], country: string, size = 20): Promise<void> => {
    const pageId = crypto.randomUUID();
    const base = {
      version: 1,
      siteId,
      tier: 3,
      visitorId: crypto.randomUUID(),
      continued: false,
      country,
    } as const;
    const events: TrackMessage['events'] = [
      {
        ...{ type: 'pageview', id: crypto.randomUUID(), at: at - 1000, pageId, entry: true },
        ...{ hostname: 'example.com', path: '/checkout' },
      },
      ...traces.map((n) => ({
        ...{ type: 'association' as const, id: crypto.randomUUID(), at: at + n, pageId },
        ...{ traceId: traceIdOf(n), origin: API, status: 200 },
      })),
    ];
    for (let n = 0; n < events.length; n += size)
      await foldBatch(sql, [{ ...base, events: events.slice(n, n + size) }], NOW);
  };
  const span = (n: number, more: Partial<StoredSpan> = {}): StoredSpan => ({
    ...{ traceId: traceIdOf(n), spanId: (n + 1).toString(16).padStart(16, '0'), parentSpanId: null },
    ...{
      service: 'shop',
      name: 'POST /orders',
      kind: 2,
      status: 0,
      startMs: at,
      durationNano: n * 1_000_000,
    },
    ...more,
  });
  const ask = async (filters: object[] = []) => {
    const input = { siteId, range: { period: '7d' as const }, limit: 100, page: '/checkout' };
    return (await reportAssociations(ctx(), { ...input, filters: filters as never })).data;
  };
  return { sql, ctx, siteId, visit, span, store, ask };
}

test('percentiles, failures, and the traces to look at', async () => {
  const { visit, span, store, ask } = await makeWorld();
  const traces = Array.from({ length: 20 }, (_, n) => n + 1);
  await visit([...traces, 90], 'PT');
  await store(traces.map((n) => span(n, { status: n === 7 || n === 3 ? 2 : 0 })));
  const [row, unconfirmed, ...others] = await ask();
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    ...{ service: 'shop', operation: 'POST /orders', origin: API, requests: 20, failed: 2 },
    ...{ p50Ms: 10, p95Ms: 19, responseContext: 20, bothSides: 0, notConfirmed: 0 },
    ...{ slowestTraceId: traceIdOf(20), failedTraceId: traceIdOf(7) },
    failedTraceIds: [traceIdOf(7), traceIdOf(3)],
  });
  expect(unconfirmed).toMatchObject({
    ...{ service: null, operation: null, requests: 1, failed: null, p50Ms: null, notConfirmed: 1 },
    failedTraceIds: [],
  });
});

test('filters choose visits', async () => {
  const { visit, span, store, ask } = await makeWorld();
  await visit([1, 2, 3], 'PT');
  await visit([4, 5], 'DE');
  await store([1, 2, 3, 4, 5].map((n) => span(n)));
  const requests = async (...values: string[]) =>
    (await ask([{ dimension: 'country', operator: 'is', values }])).map((row) => row.requests);
  expect([
    await requests('PT'),
    await requests('DE'),
    await requests('PT', 'DE'),
    await requests('FR'),
  ]).toEqual([[3], [2], [5], []]);
});

test.each([1, 7, 20])('the first 50 of a page view are kept, in batches of %i', async (size) => {
  const { sql, siteId, visit } = await makeWorld();
  await visit(
    Array.from({ length: 60 }, (_, n) => (n * 37) % 60),
    'PT',
    size,
  );
  const rows = await sql`
    select trace_id::text as trace from associations where site_key = (select key from sites where id = ${siteId})
    order by 1`;
  expect(rows.map(({ trace }) => trace.replaceAll('-', ''))).toEqual(
    Array.from({ length: 50 }, (_, n) => traceIdOf(n)),
  );
});

test('neither a share nor a token without both scopes has the report', async () => {
  const { ctx, siteId, visit } = await makeWorld();
  await visit([1], 'PT');
  const { actor } = ctx();
  if (actor.kind !== 'session') throw new Error('no session');
  const opened = { projectIds: null, siteIds: null };
  const token = (...scopes: string[]) => ({
    ...{ kind: 'queryToken' as const, tokenId: '', userId: actor.userId, scopes, ...opened },
  });
  const share = { kind: 'share' as const, shareId: crypto.randomUUID(), siteId, reports: ['associations'] };
  const input = { siteId, range: { period: '7d' as const }, limit: 100, page: '/checkout' };
  for (const refused of [share, token('analytics:read'), token('telemetry:read')])
    await expect(reportAssociations({ ...ctx(), actor: refused }, input)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  const both = await reportAssociations(
    { ...ctx(), actor: token('analytics:read', 'telemetry:read') },
    input,
  );
  expect(both.data).toMatchObject([{ notConfirmed: 1 }]);
  // A key for the site alone opens no environment.
  const key = {
    ...{ kind: 'apiToken' as const, tokenId: '', userId: actor.userId, access: 'read' as const },
    ...{ projectIds: null, siteIds: [siteId] },
  };
  expect((await reportAssociations({ ...ctx(), actor: key }, input)).data).toEqual([]);
  expect(reportNamed('associations').isList).toBe(true);
});
