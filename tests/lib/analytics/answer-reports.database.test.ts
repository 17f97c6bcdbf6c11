/** Several reports of one request, and the segment that a request names. */
import { expect, test } from 'vitest';
import { answerReports } from '../../../lib/analytics/answer-reports.ts';
import { ReportBatch } from '../../../lib/analytics/report-batch.ts';
import { reportNamed } from '../../../lib/analytics/reports.ts';
import type { ReportContext } from '../../../lib/context.ts';
import type { DomainError } from '../../../lib/errors.ts';
import { check } from '../../../lib/http/issues.ts';
import { askNamed, CURSORS, sharedTo } from './ask-named.ts';
import { consented, counts, pageview, session, useWorlds, type World } from './reports-world.ts';

const makeWorld = useWorlds();

const at = '2026-06-16T10:00:00Z';
const lived = (city: string, message: ReturnType<typeof session>) => ({ ...message, country: 'PT', city });

async function visitedWorld(): Promise<World> {
  const world = await makeWorld();
  await world.fold(
    lived('Porto', consented('bob', [pageview(at, '/a'), pageview('2026-06-16T10:01:00Z', '/b')])),
    lived('Faro', session('ana', [pageview(at, '/a')])),
    counts([pageview(at, '/a')]),
  );
  return world;
}

/** Answers a batch as a route does; `counted` has how many reports each question to the database was about. */
async function askBatch(ctx: ReportContext, siteId: string, report: string[], fields: object = {}) {
  const counted: number[] = [];
  const { common, reports } = check(ReportBatch, { siteId, report, period: '7d', ...fields });
  const asked = reports.map(({ fields: own, ...named }) => {
    try {
      return { ...named, input: check(reportNamed(named.report).input, own) as object };
    } catch (error) {
      return { ...named, input: error as DomainError };
    }
  });
  const countReports = async (count: number) => void counted.push(count);
  const answer = answerReports({ ...ctx, cursors: CURSORS, countReports }, { common, reports: asked });
  return { counted, ...(await answer.catch((error: unknown) => ({ error }))) };
}

const addSegment = async ({ sql, siteId }: World, filters: object, userId: string | null = null) => {
  const [row] = await sql`
    insert into site_segments (site_id, user_id, name, filters)
    values (${siteId}, ${userId}, 'Mine', ${JSON.stringify(filters)}::jsonb) returning id`;
  return row?.id as string;
};
const userOf = (ctx: ReportContext) => (ctx.actor.kind === 'session' ? ctx.actor.userId : '');

test('each report’s answer, one error of one report, and what all have in common once', async () => {
  const { ctx, siteId } = await visitedWorld();
  const names = ['overview', 'pages:1', 'journeys', 'dropped', 'vitals_site', 'engagement', 'event-props'];
  const filters = { country: 'PT' };
  const batch = await askBatch(ctx(), siteId, names, { filters, compare: 'previous' });
  // The range that they share, journeys, and both ranges of the three that compare.
  expect(batch.counted).toEqual([8]);
  const { data, meta } = batch as Extract<typeof batch, { meta: object }>;
  expect(data).toMatchObject({
    overview: { data: { visits: 2, previous: { visits: 0 } } },
    pages: { data: [{ path: '/a', visits: 2 }], meta: { nextCursor: expect.any(String) } },
    journeys: { data: [{ pages: ['/a'] }, { pages: ['/a', '/b'] }], meta: { scope: { tiers: [2, 3] } } },
    dropped: { code: 'VALIDATION_ERROR' },
    engagement: { code: 'VALIDATION_ERROR' },
    'event-props': { code: 'VALIDATION_ERROR' },
    vitals_site: { data: [] },
  });
  expect(meta.scope).toEqual({ siteId, filters: { country: { operator: 'is', values: ['PT'] } } });
  expect(Object.keys(meta)).toEqual(['scope', 'range', 'coverage', 'freshness']);
  for (const [name, asked] of [
    ['overview', {}],
    ['pages', { limit: 1 }],
  ] as const) {
    const alone = await askNamed(ctx(), siteId, name, {
      period: '7d',
      filters,
      compare: 'previous',
      ...asked,
    });
    const own = data[name] as { data: unknown; meta: object };
    expect({ data: own.data, meta: { ...meta, ...own.meta } }).toEqual(alone);
    expect(own.meta).not.toHaveProperty('scope');
    expect(own.meta).not.toHaveProperty('freshness');
  }
});

test('values that no visit has are named once, with what they are near to', async () => {
  const { ctx, siteId } = await visitedWorld();
  const batch = await askBatch(ctx(), siteId, ['overview', 'pages', 'journeys'], {
    filters: { city: 'porto' },
  });
  const unmatched = [{ filter: 'city', value: 'porto', same: true, nearest: ['Porto'] }];
  expect(batch).toMatchObject({
    counted: [4],
    data: { pages: { data: [], meta: { nextCursor: null } }, journeys: { meta: { scope: { unmatched } } } },
    meta: { scope: { unmatched } },
  });
  const { data } = batch as Extract<typeof batch, { meta: object }>;
  expect(Object.keys((data.pages as { meta: object }).meta)).toEqual(['nextCursor']);
});

test('though no report answers, the range is described', async () => {
  const { ctx, siteId } = await visitedWorld();
  const batch = await askBatch(ctx(), siteId, ['engagement'], { filters: { city: 'Porto' } });
  expect(batch).toMatchObject({
    ...{ counted: [1], data: { engagement: { code: 'VALIDATION_ERROR' } } },
    meta: { coverage: { observed: true } },
  });
});

test('a site that the caller may not see is refused as a whole', async () => {
  const [{ siteId }, stranger] = [await visitedWorld(), await makeWorld()];
  expect(await askBatch(stranger.ctx(), siteId, ['overview', 'live'])).toMatchObject({
    ...{ counted: [3], error: { code: 'NOT_FOUND' } },
  });
});

test('a share answers what it shows; a filter that it doesn’t take asks nothing of the database', async () => {
  const world = await visitedWorld();
  const { siteId } = world;
  const share = await sharedTo(world, ['overview', 'cities']);
  expect(await askBatch(share, siteId, ['overview', 'pages'])).toMatchObject({
    counted: [2],
    data: { overview: { data: { visits: 3 } }, pages: { code: 'NOT_FOUND' } },
  });
  expect(await askBatch(share, siteId, ['overview', 'cities'], { filters: { page: '/a' } })).toMatchObject({
    counted: [],
    error: { code: 'VALIDATION_ERROR', details: [{ path: 'filter_page' }] },
  });
  const few = await askBatch(share, siteId, ['overview', 'pages'], { filters: { city: 'Faro' } });
  expect(few).toMatchObject({
    data: { overview: { data: null, meta: { suppressed: true } }, pages: { code: 'NOT_FOUND' } },
  });
  expect((few as unknown as { meta: object }).meta).not.toHaveProperty('suppressed');
});

test('a segment’s filters hold beside those of the request, in each report that takes them', async () => {
  const world = await visitedWorld();
  const { ctx, siteId } = world;
  const segment = await addSegment(world, { country: 'PT', privacy_tier: 3 });
  const within = {
    id: segment,
    name: 'Mine',
    filters: { privacyTier: 3, country: { operator: 'is', values: ['PT'] } },
  };
  const page = { page: { operator: 'is', values: ['/b'] } };
  expect(await askNamed(ctx(), siteId, 'overview', { segment, filters: { page: '/b' } })).toMatchObject({
    ...{ data: { visits: 1, pageviews: 2 }, meta: { scope: { filters: page, segment: within } } },
  });
  expect(await askBatch(ctx(), siteId, ['overview', 'pages', 'engagement'], { segment })).toMatchObject({
    data: { overview: { data: { visits: 1 } }, pages: { data: [{ path: '/a' }, { path: '/b' }] } },
    meta: { scope: { filters: {}, segment: within } },
  });
  await expect(askNamed(ctx(), siteId, 'engagement', { segment })).rejects.toMatchObject({
    details: [{ path: 'segment', message: 'has a filter that this report doesn’t take' }],
  });
});

test('who may use a segment', async () => {
  const [world, other] = [await visitedWorld(), await makeWorld()];
  const { ctx, siteId, sql } = world;
  const ask = async (asker: ReportContext, segment: string) => {
    const { data } = await askNamed(asker, siteId, 'overview', { segment });
    return (data as { visits: number }).visits;
  };
  const operator: ReportContext = { ...ctx(), actor: { kind: 'operator' } };
  const shared = await addSegment(world, { city: 'Porto' });
  const mine = await addSegment(world, { city: 'Porto' }, userOf(ctx()));
  await sql`
    insert into project_members (project_id, user_id, role)
    select project_id, ${userOf(other.ctx())}, 'viewer' from sites where id = ${siteId}`;
  for (const segment of [shared, mine])
    for (const asker of [ctx(), operator]) expect(await ask(asker, segment)).toBe(1);
  expect(await ask(other.ctx(), shared)).toBe(1);
  const gone = { code: 'NOT_FOUND', message: 'No such segment.' };
  const elsewhere = await addSegment(other, { city: 'Porto' });
  await expect(ask(other.ctx(), mine)).rejects.toMatchObject(gone);
  for (const segment of [elsewhere, crypto.randomUUID()])
    for (const asker of [ctx(), operator]) await expect(ask(asker, segment)).rejects.toMatchObject(gone);
  await expect(ask((await makeWorld()).ctx(), shared)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(ask(await sharedTo(world), shared)).rejects.toMatchObject({
    ...{ code: 'VALIDATION_ERROR', details: [{ path: 'segment', message: 'is no parameter of a share' }] },
  });
});
