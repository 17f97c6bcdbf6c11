/** Of the demo's orders some lead to a visit, and its checkout to them. */

import * as v from 'valibot';
import { expect, test } from 'vitest';
import { defineDemo, demoCall } from '../../dev/demo/define-goals.ts';
import { fillSite } from '../../dev/demo/fill-demo-site.ts';
import { generateBuyers } from '../../dev/demo/generate-buyers.ts';
import { generateBackendDay } from '../../dev/demo/telemetry/backend-day.ts';
import { demoSender, fillBackend } from '../../dev/demo/telemetry/fill-demo-backend.ts';
import { API_ORIGIN } from '../../dev/demo/telemetry/shop-requests.ts';
import { ensureDemoSite, withSession } from '../../dev/demo-account.ts';
import { reportAssociations } from '../../lib/analytics/lists/associations.ts';
import { TrackMessage } from '../../lib/collection/track-message.ts';
import { createShareSecrets } from '../../lib/shares/secret.ts';
import { getJourney } from '../../lib/telemetry/get-journey.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const DAYS = 3;
/** Of these days some linked orders failed. */
const SEED = 29;
const NOW = Date.UTC(2026, 9, 20, 15, 30);
const today = NOW - (NOW % DAY_MS);
const ordersOf = (day: number) => generateBackendDay(SEED, day, NOW).orders;
const days = Array.from({ length: DAYS }, (_, ago) => today - ago * DAY_MS);
const orders = days.flatMap(ordersOf);

test('a buyer’s visit is what track may queue, the same each time, in order, and within its day', () => {
  for (const day of days) {
    const options = { siteId: crypto.randomUUID(), seed: SEED };
    const messages = generateBuyers(options, day, ordersOf(day));
    expect(generateBuyers(options, day, ordersOf(day).toReversed()).flatMap(({ events }) => events)).toEqual(
      expect.arrayContaining(messages.flatMap(({ events }) => events)),
    );
    for (const message of messages) v.parse(TrackMessage, message);
    for (const [, visit] of Map.groupBy(messages, ({ visitorId }) => visitorId)) {
      const times = visit.flatMap(({ events }) => events.map(({ at }) => at));
      expect(times.every((at) => Number.isInteger(at) && at >= day)).toBe(true);
      const views = visit.flatMap(({ events: [event] }) => (event?.type === 'pageview' ? [event.at] : []));
      expect(views).toEqual(views.toSorted((a, b) => a - b));
    }
  }
});

test('trace and page lead to each other, each link with its evidence', async () => {
  const { sql } = database();
  const { userId, siteId, ...environment } = await ensureDemoSite(sql);
  const now = () => NOW;
  const actor = { kind: 'session', sessionId: '', userId } as const;
  const ctx = { sql, now, actor };
  const fill = () => fillSite({ sql, siteId, days: DAYS, seed: SEED, ordersOf, now: NOW, onDay: () => {} });
  await fill();
  expect(await fill()).toBe(0);
  await fillBackend({
    ...{ ctx: { ...(await demoSender(sql, environment)), now }, days: DAYS, seed: SEED, onDay: () => {} },
  });
  await withSession(sql, userId, (maker) =>
    defineDemo(
      {
        ...{ ...demoCall, ...ctx, actor: maker, publicUrl: 'https://demo.example' },
        shareSecrets: createShareSecrets('s'.repeat(32)),
      },
      { siteId, ...environment, days: DAYS },
    ),
  );

  // One after the other: a person asks few questions at the same time.
  const journeys = [];
  for (const order of orders)
    journeys.push({
      order,
      journey: (await getJourney(ctx, { ...environment, traceId: order.traceId })).data,
    });
  const linked = journeys.filter(({ journey }) => journey.association !== null);
  for (const { order, journey } of linked) {
    const { association, visit, pageViews, spans, outcomes } = journey;
    expect(association).toMatchObject({
      ...{ evidence: 'both sides', origin: API_ORIGIN, status: order.status },
      ...{ pageView: 2, span: 0, spanId: order.spanId },
    });
    expect(visit?.siteId).toBe(siteId);
    expect(pageViews.map(({ path }) => path).slice(2)).toEqual(
      order.isPaid ? ['/demo/checkout', '/demo/thanks'] : ['/demo/checkout'],
    );
    expect(spans.filter((span) => !span.missing).map(({ name }) => name)).toContain('INSERT orders');
    const { orderId: domainEventId, amount } = order;
    const outcome = { domainEventId, evidence: 'outcome provenance', value: { amount, currency: 'EUR' } };
    expect(outcomes).toMatchObject(order.isPaid ? [outcome] : []);
  }
  // Most visitors don’t consent, and nothing leads to their visits.
  expect(linked.length).toBeGreaterThan(0.1 * orders.length);
  expect(linked.length).toBeLessThan(0.35 * orders.length);
  const failed = linked.filter(({ order }) => order.status >= 500);
  expect(failed.length).toBeGreaterThan(0);

  const { data } = await reportAssociations(ctx, {
    ...{ siteId, range: { period: '30d' }, limit: 10, page: '/demo/checkout' },
  });
  expect(data).toMatchObject([
    {
      ...{ environmentId: environment.environmentId, service: 'shop-web', operation: 'POST /orders' },
      ...{ requests: linked.length, bothSides: linked.length, failed: failed.length },
    },
  ]);
});
