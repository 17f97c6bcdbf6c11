/** The maximum that a visitor may send adds up to numbers that fit the columns: nothing is refused, and no batch is folded twice. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';
import { storedVisits } from './stored.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T12:30:00.000Z');
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The maximum of an integer column. */
const MOST_MS = 2 ** 31 - 1;

const pageview = (at: number, path = '/'): StoredEvent => ({
  ...{ type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path, entry: false },
});
const attention = (at: number, seconds: number, scrollDepth = 50): StoredEvent => ({
  ...{ type: 'engagement', id: randomUUID(), at, pageId: randomUUID(), seconds, scrollDepth },
});

function messageOf(siteId: string, visitorId: string, events: StoredEvent[]): TrackMessage {
  return { version: 1, siteId, tier: 3, visitorId, continued: false, events };
}

test('25 days of attention in one batch are as much as a visit can have', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const visitorId = randomUUID();
  const days = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => attention(from + n, 86_400));
  const batch = [
    messageOf(siteId, visitorId, [pageview(NOW), ...days(15, NOW + 1)]),
    messageOf(siteId, visitorId, days(15, NOW + 100)),
  ];
  const ports = { sql, now: () => NOW + 1000 };
  expect(await ingestMessages(ports, batch)).toEqual({ stored: 31, repeated: 0, dead: 0 });
  expect(await storedVisits(sql, siteId)).toMatchObject([{ engagedMs: MOST_MS }]);
  // One more event of the visit doesn't overflow it either.
  await ingestMessages(ports, [messageOf(siteId, visitorId, days(20, NOW + 200))]);
  expect(await storedVisits(sql, siteId)).toMatchObject([{ engagedMs: MOST_MS }]);
});

test('numbers too near to zero are zero', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const tiny = [1e-30, 1e-46, 1e-300, Number.MIN_VALUE];
  const events = tiny.flatMap((value, n): StoredEvent[] => [
    attention(NOW + n, value, value),
    {
      ...{
        type: 'vitals',
        id: randomUUID(),
        at: NOW + n,
        hostname: 'example.com',
        path: '/',
        pageId: randomUUID(),
      },
      ...{ lcp: value, inp: value, cls: value, fcp: value, ttfb: value },
    },
    {
      ...{ type: 'event', id: randomUUID(), at: NOW + n, hostname: 'example.com', path: '/', name: 'signup' },
      props: { value, most: Number.MAX_VALUE },
    },
  ]);
  const ports = { sql, now: () => NOW + 1000 };
  const batch = [messageOf(siteId, randomUUID(), events)];
  expect(await ingestMessages(ports, batch)).toEqual({ stored: 12, repeated: 0, dead: 0 });
});

test('a visit of weeks that an event joins to another ends where its columns do', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const visitorId = randomUUID();
  const start = NOW - 26 * DAY_MS;
  const send = (at: number[], now: number) =>
    ingestMessages({ sql, now: () => now }, [
      ...at.map((moment) => messageOf(siteId, visitorId, [pageview(moment)])),
    ]);
  const every20Minutes = (from: number, to: number) =>
    Array.from({ length: Math.ceil((to - from) / (20 * MINUTE_MS)) }, (_, n) => from + n * 20 * MINUTE_MS);
  // A visit of 24 days less an hour, a separate visit of two days, and then the events that join them.
  const [first, second] = [start + 24 * DAY_MS - 60 * MINUTE_MS, start + 26 * DAY_MS - 60 * MINUTE_MS];
  for (let from = start; from < first; from += 2 * DAY_MS) {
    const to = Math.min(from + 2 * DAY_MS - MINUTE_MS, first);
    expect(await send(every20Minutes(from, to), to)).toMatchObject({ dead: 0 });
  }
  expect(await send(every20Minutes(first + 30 * MINUTE_MS, second), second)).toMatchObject({ dead: 0 });
  expect(await send([first + 5 * MINUTE_MS], second)).toMatchObject({ stored: 1, dead: 0 });
  const [visit, ...others] = await storedVisits(sql, siteId);
  expect(others).toEqual([]);
  expect((visit?.endedAt ?? 0) - start).toBe(MOST_MS);
});
