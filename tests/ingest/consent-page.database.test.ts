/** Consent in the middle of a visit: what begins on the page where it was given, and what counts that page again. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reportFunnel } from '../../lib/analytics/behaviour/funnel.ts';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportJourneys } from '../../lib/analytics/behaviour/journeys.ts';
import { reportRetention } from '../../lib/analytics/behaviour/retention.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../lib/context.ts';
import { addFunnel, addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite, retireSites } from './ingest-site.ts';

const database = useDatabase();

const AT = Date.parse('2026-06-16T10:00:00Z');
const NOW = AT + 26 * 3_600_000;
const MINUTE_MS = 60_000;

/** A site with somebody who saw `/a` and `/b` at a tier and then consented; `after` is what followed at tier 3. */
async function consentedOn(
  tier: 1 | 2,
  { after = [], sealed }: { after?: object[]; sealed: boolean },
): Promise<{ ctx: MemberContext; siteId: string; funnelId: string }> {
  const { sql } = database();
  await retireSites(sql);
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  await addGoal(sql, siteId, { name: 'Saw b', page: '/b' });
  const funnelId = await addFunnel(sql, siteId, {
    name: 'Way',
    steps: [{ page: '/b' }, { event: 'signup' }],
  });
  const about = { version: 1, siteId };
  const view = (path: string, at: number) => ({
    ...{ type: 'pageview', id: randomUUID(), hostname: 'example.com', entry: path === '/a' },
    path,
    at,
  });
  const before = { ...about, tier, continued: false, ...(tier === 2 && { visitorId: randomUUID() }) };
  const consented = { ...about, tier: 3, visitorId: randomUUID() };
  const consent = {
    type: 'consent',
    id: randomUUID(),
    pageId: randomUUID(),
    hostname: 'example.com',
    path: '/b',
  };
  const at = AT + 3 * MINUTE_MS;
  const messages = [
    { ...before, events: [view('/a', AT)] },
    { ...before, events: [view('/b', AT + MINUTE_MS)] },
    { ...consented, continued: true, events: [{ ...consent, at }] },
    ...after.map((event, n) => ({
      ...{ ...consented, continued: false },
      events: [{ id: randomUUID(), hostname: 'example.com', at: at + (n + 1) * MINUTE_MS, ...event }],
    })),
  ];
  expect(await ingestMessages({ sql, now: () => NOW }, messages)).toMatchObject({ dead: 0 });
  if (sealed) await sealVisits({ sql, now: () => NOW }, { timeMs: 60_000 });
  const [days] = await sql`
    select count(*)::int as sealed from sealed_days join sites on key = site_key where id = ${siteId} and ready`;
  expect(days?.sealed > 0).toBe(sealed);
  const ctx: MemberContext = { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId } };
  return { ctx, siteId, funnelId };
}

const next = { type: 'pageview', path: '/c', entry: true };
const signup = { type: 'event', name: 'signup', path: '/b' };

describe.each([
  { tier: 1, sealed: false },
  { tier: 1, sealed: true },
  { tier: 2, sealed: false },
  { tier: 2, sealed: true },
] as const)('after tier $tier, days sealed: $sealed', ({ tier, sealed }) => {
  const inputOf = (siteId: string) => ({ siteId, range: { period: '7d' as const }, limit: 10 });
  const consentedAlone = (siteId: string) => ({ ...inputOf(siteId), tier: 3 as const });

  test('the journey begins on the page of consent, with start and end too', async () => {
    const { ctx, siteId } = await consentedOn(tier, { after: [next], sealed });
    const input = consentedAlone(siteId);
    const walk = { pages: ['/b', '/c'], visitors: 1, visits: 0, journeys: 1 };
    expect((await reportJourneys(ctx, input)).data).toEqual([walk]);
    expect((await reportJourneys(ctx, { ...input, start: '/b' })).data).toEqual([walk]);
    expect((await reportJourneys(ctx, { ...input, end: '/b' })).data).toEqual([{ ...walk, pages: ['/b'] }]);
    expect((await reportJourneys(ctx, { ...input, start: '/a' })).data).toEqual([]);
  });

  test('a page view of the same page afterwards is no further step', async () => {
    const { ctx, siteId } = await consentedOn(tier, { after: [{ ...next, path: '/b' }, next], sealed });
    const { data } = await reportJourneys(ctx, consentedAlone(siteId));
    expect(data.map(({ pages }) => pages)).toEqual([['/b', '/c']]);
  });

  test('a visit of that page alone has its visitor and its journey, and counts nothing else', async () => {
    const { ctx, siteId } = await consentedOn(tier, { sealed });
    const input = consentedAlone(siteId);
    const { data } = await reportOverview(ctx, { siteId, range: { period: '7d' } });
    expect(data).toMatchObject({ pageviews: 2, bounceRate: null, avgDuration: null });
    expect(data.tiers?.visitors).toEqual({ anonymousSessions: tier === 2 ? 1 : 0, consented: 1 });
    expect(data.tiers?.visits).toMatchObject({ consented: 0 });
    expect((await reportJourneys(ctx, input)).data).toEqual([
      { pages: ['/b'], visitors: 1, visits: 0, journeys: 1 },
    ]);
    expect((await reportPages(ctx, { ...input, sort: 'reach' })).data).toEqual([]);
    expect((await reportEdgePages(ctx, { ...input, edge: 'entry' })).data).toEqual([]);
    expect((await reportVisitValues(ctx, { ...input, dimension: 'source' })).data).toEqual([]);
    const countries = await reportVisitValues(ctx, { ...input, dimension: 'country' });
    expect(countries.data).toMatchObject([{ visitors: 1, visits: 0, pageviews: 0 }]);
    const cohorts = await reportRetention(ctx, input);
    expect(cohorts.data.reduce((sum, { visitors }) => sum + visitors, 0)).toBe(1);
  });

  test('a goal counts the page once; a funnel goes on from it', async () => {
    const { ctx, siteId, funnelId } = await consentedOn(tier, { after: [signup], sealed });
    const goals = await reportGoals(ctx, inputOf(siteId));
    expect(goals.data).toMatchObject([{ name: 'Saw b', conversions: 1, events: 1 }]);
    const funnel = await reportFunnel(ctx, { ...consentedAlone(siteId), funnelId });
    expect(funnel.data.steps.map(({ visits }) => visits)).toEqual([1, 1]);
    expect(funnel.meta.approximate).toEqual(['continuations']);
  });
});

test('what came before consent, by a late event, leaves it out', async () => {
  const { ctx, siteId } = await consentedOn(2, { after: [next], sealed: true });
  const [visit] = await ctx.sql`
    select visitor_id from visits join sites on key = site_key where id = ${siteId} and tier = 3`;
  await ingestMessages({ sql: ctx.sql, now: () => NOW }, [
    {
      ...{ version: 1, siteId, tier: 3, visitorId: visit?.visitor_id, continued: false },
      events: [
        {
          ...{ type: 'pageview', id: randomUUID(), hostname: 'example.com', path: '/z', entry: true },
          at: AT + 2 * MINUTE_MS,
        },
      ],
    },
  ]);
  const { data } = await reportJourneys(ctx, { siteId, range: { period: '7d' }, tier: 3, limit: 10 });
  expect(data.map(({ pages }) => pages)).toEqual([['/z', '/c']]);
});
