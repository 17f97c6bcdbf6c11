/** At tier 1 a goal that is an event counts once a page view, however often and in whatever order the events come. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../lib/context.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite, retireSites } from './ingest-site.ts';

const database = useDatabase();

const AT = Date.parse('2026-06-16T10:00:00Z');
const HOUR_MS = 3_600_000;
const NOW = AT + 40 * HOUR_MS;

async function makeGoal(): Promise<{
  ctx: MemberContext;
  siteId: string;
  send: (sent: Sent[]) => Promise<void>;
}> {
  const { sql } = database();
  await retireSites(sql);
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  await addGoal(sql, siteId, { name: 'Signed up', event: 'signup' });
  const ctx: MemberContext = { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId } };
  const send = async (sent: Sent[]) => {
    const about = { version: 1, siteId, tier: 1, continued: false };
    const page = { type: 'event', name: 'signup', hostname: 'example.com', path: '/join' };
    const messages = sent.map(({ hour = 0, ...event }) => ({
      ...about,
      events: [{ ...page, id: randomUUID(), at: AT + hour * HOUR_MS, ...event }],
    }));
    expect(await ingestMessages({ sql, now: () => NOW }, messages, PATIENT)).toMatchObject({ dead: 0 });
  };
  return { ctx, siteId, send };
}

/** Of a busy machine: what counts is counted here, not how fast. */
const WAIT = { lockMs: 60_000, statementMs: 60_000 };
const PATIENT = { shared: WAIT, alone: WAIT, totalMs: 120_000 };

interface Sent {
  pageId?: string;
  hour?: number;
  props?: object;
  revenue?: object;
}

/** `[conversions, events]` of the days from 16 to 17 June, each. */
async function countByDay(ctx: MemberContext, siteId: string) {
  const days = ['2026-06-16', '2026-06-17'];
  return Promise.all(
    days.map(async (day) => {
      const { data } = await reportGoals(ctx, { siteId, range: { from: day, to: day } });
      return data.flatMap(({ conversions, events }) => [conversions, events]);
    }),
  );
}

describe.each([false, true])('days sealed: %s', (sealed) => {
  const settle = (sql: MemberContext['sql']) =>
    sealed ? sealVisits({ sql, now: () => NOW }, { timeMs: 60_000 }) : undefined;

  test('once a page view, in one batch and in several', async () => {
    const { ctx, siteId, send } = await makeGoal();
    const [one, other] = [randomUUID(), randomUUID()];
    const revenue = { amount: '1.50', currency: 'EUR' };
    await send([{ pageId: one, revenue }, { pageId: one, revenue }, { pageId: other }]);
    await send([{ pageId: one, props: { plan: 'pro' } }, {}, {}]);
    await settle(ctx.sql);
    expect(await countByDay(ctx, siteId)).toEqual([
      [4, 6],
      [0, 0],
    ]);
    const { data } = await reportGoals(ctx, { siteId, range: { period: '7d' } });
    expect(data).toMatchObject([{ revenue: [{ currency: 'EUR', amount: '3.00' }] }]);
    const filters = [{ dimension: 'goal', is: 'is', values: ['Signed up'] }] as never;
    const filtered = await reportGoals(ctx, { siteId, range: { period: '7d' }, filters });
    expect(filtered.data).toMatchObject([{ conversions: 4, events: 6 }]);
    const events = await reportCustomEvents(ctx, { siteId, range: { period: '7d' }, limit: 10 });
    expect(events.data).toMatchObject([{ name: 'signup', events: 6 }]);
  });

  test('by the first, whichever comes first', async () => {
    const { ctx, siteId, send } = await makeGoal();
    const pageId = randomUUID();
    await send([
      { pageId, hour: 15, props: { plan: 'pro' } },
      { pageId: randomUUID(), hour: 15 },
    ]);
    await settle(ctx.sql);
    expect(await countByDay(ctx, siteId)).toEqual([
      [0, 0],
      [2, 2],
    ]);
    await send([{ pageId, hour: 1 }]);
    expect(await countByDay(ctx, siteId)).toEqual([
      [1, 1],
      [1, 2],
    ]);
    await settle(ctx.sql);
    expect(await countByDay(ctx, siteId)).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  test('again a day later', async () => {
    const { ctx, siteId, send } = await makeGoal();
    const pageId = randomUUID();
    await send([{ pageId }, { pageId, hour: 24 }]);
    await settle(ctx.sql);
    expect(await countByDay(ctx, siteId)).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });
});

test('of batches at once one counts', async () => {
  const { ctx, siteId, send } = await makeGoal();
  const pageId = randomUUID();
  await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      send([
        { pageId, hour: n % 3 },
        { pageId, hour: n % 5 },
      ]),
    ),
  );
  expect(await countByDay(ctx, siteId)).toEqual([
    [1, 48],
    [0, 0],
  ]);
});
