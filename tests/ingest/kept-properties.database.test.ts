/** Events and visits keep a limited number of properties (docs/events.md#too-many-properties). Beyond it events count without theirs. */
import { expect, test } from 'vitest';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportDropped } from '../../lib/analytics/lists/dropped.ts';
import { reportEventProps } from '../../lib/analytics/lists/event-props.ts';
import { reportPageProps } from '../../lib/analytics/lists/page-props.ts';
import type { StoredEvent } from '../../lib/collection/track-message.ts';
import {
  consented,
  counts,
  engagement,
  pageview,
  useWorlds,
  type World,
} from '../lib/analytics/reports-world.ts';

const makeWorld = useWorlds();
const DAY = { from: '2026-06-16', to: '2026-06-16' };
const PAGE = { limit: 100, offset: 0 };
const START = Date.parse('2026-06-16T10:00:00Z');

/** Properties of that number of bytes as JSON text. */
const propsOf = (bytes: number, unit = 'x') => {
  const empty = Buffer.byteLength(JSON.stringify({ a: '', b: '' }));
  const units = Math.floor((bytes - empty) / Buffer.byteLength(unit));
  const rest = bytes - empty - units * Buffer.byteLength(unit);
  return { a: unit.repeat(units), b: 'y'.repeat(rest) };
};

const event = (n: number, more: object = {}): StoredEvent => ({
  ...{
    type: 'event',
    id: crypto.randomUUID(),
    at: START + n,
    hostname: 'example.com',
    path: '/',
    name: 'buy',
  },
  ...more,
});

async function readReport({ ctx, siteId }: World) {
  const [events] = (await reportCustomEvents(ctx(), { siteId, range: DAY, ...PAGE })).data;
  const props = (await reportEventProps(ctx(), { siteId, range: DAY, name: 'buy', ...PAGE })).data;
  const { data, meta } = await reportDropped(ctx(), { siteId, range: DAY });
  return {
    events: events?.events,
    revenue: events?.revenue,
    withProps: props.find(({ key }) => key === 'a')?.events ?? 0,
    lost: data.find(({ reason }) => reason === 'properties')?.events ?? 0,
    ofRange: meta.coverage.dropped.properties,
  };
}

test.each([
  ['ASCII', 'x'],
  ['other letters', 'ø'],
  ['signs of four bytes', '😀'],
])('an event keeps 4096 bytes of %s', async (_, unit) => {
  const world = await makeWorld();
  const [fits, tooMany] = [propsOf(4096, unit), propsOf(4097, unit)];
  expect([fits, tooMany].map((props) => Buffer.byteLength(JSON.stringify(props)))).toEqual([4096, 4097]);
  await world.fold(
    consented('a', [event(1, { props: fits }), event(2, { props: tooMany })]),
    // Of nobody, and of a page view.
    counts([event(3, { props: fits }), event(4, { props: tooMany })]),
    consented('b', [pageview('2026-06-16T12:00:00Z', '/', { props: tooMany })]),
  );
  expect(await readReport(world)).toMatchObject({ events: 4, withProps: 2, lost: 3, ofRange: 3 });
});

test.each([
  ['one by one', 1],
  ['at once', 40],
])('a visit keeps 32 KB, delivered %s', async (_, size) => {
  const world = await makeWorld();
  const revenue = { amount: '1.50', currency: 'EUR' };
  // As PostgreSQL writes them they have three blanks more.
  const sent = Array.from({ length: 40 }, (_, n) => event(n, { props: propsOf(1021), revenue }));
  for (let n = 0; n < sent.length; n += size) await world.fold(consented('a', sent.slice(n, n + size)));
  const whole = { events: 40, withProps: 32, lost: 8, ofRange: 8 };
  expect(await readReport(world)).toEqual({ ...whole, revenue: [{ currency: 'EUR', amount: '60.00' }] });

  // What comes late replaces what came after it, and small ones no longer find room.
  await world.fold(consented('a', [event(-1, { props: propsOf(1021) })]));
  await world.fold(consented('a', [event(100, { props: { a: 1 } })]));
  expect(await readReport(world)).toMatchObject({ events: 42, withProps: 32, lost: 10 });
  // Another visit of the same visitor has room of its own.
  await world.fold(consented('a', [event(3 * 3_600_000, { props: { a: 1 } })]));
  expect(await readReport(world)).toMatchObject({ events: 43, withProps: 33, lost: 10 });
});

test('page views of a visit keep 32 KB, for themselves, in any order', async () => {
  const views = Array.from({ length: 40 }, (_, n) =>
    pageview(new Date(START + n).toISOString(), '/', { props: propsOf(1021) }),
  );
  const small = pageview(new Date(START + 100).toISOString(), '/', { props: { a: 1 } });
  const events = Array.from({ length: 40 }, (_, n) => event(200 + n, { props: propsOf(1021) }));
  const orders = [
    [[...views, small, ...events]],
    [[small], ...views.map((view) => [view]), events],
    [events, views.slice(20).toReversed(), [small], views.slice(0, 20)],
  ];
  for (const order of orders) {
    const world = await makeWorld();
    for (const sent of order) await world.fold(consented('a', sent));
    const { data } = await reportPageProps(world.ctx(), { siteId: world.siteId, range: DAY, ...PAGE });
    expect(data).toMatchObject([
      { key: 'a', visitors: 1, visits: 1, pageviews: 32 },
      { key: 'b', pageviews: 32 },
    ]);
    expect(await readReport(world)).toMatchObject({ events: 40, withProps: 32, lost: 8 + 9 });
  }
});

test('what follows the last properties takes no room', async () => {
  const world = await makeWorld();
  await world.fold(consented('a', [event(1, { props: { a: 1 } })]));
  await world.fold(consented('a', [event(2), event(3)]));
  const [visit] = await world.sql`
    select v.event_data, cardinality(v.custom_events) as numbers from visits v join sites s on s.key = v.site_key
    where s.id = ${world.siteId}`;
  expect(visit).toEqual({ event_data: [{ props: { a: 1 } }], numbers: 6 });
});

test('what a visit keeps is written once: further events leave it where it is stored', async () => {
  const world = await makeWorld();
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(250))).toString('hex');
  const full = Array.from({ length: 70 }, (_, n) => event(n, { props: { a: random() } }));
  await world.fold(consented('a', full));
  const partition = 'visits_20260601';
  /** The values that are stored out of their rows, by number, and how large they are together. */
  const outOfRows = async () => {
    const [table] = await world.sql`
      select reltoastrelid::regclass::text as name from pg_class where oid = ${partition}::regclass`;
    return world.sql.query(
      `select array_agg(distinct chunk_id::text order by chunk_id::text) as values, sum(length(chunk_data))::int as bytes from ${table?.name}`,
    );
  };
  const [before] = await outOfRows();
  expect(before?.bytes).toBeGreaterThan(30_000);
  expect(before?.bytes).toBeLessThan(40_000);
  await world.fold(consented('a', [engagement('2026-06-16T10:05:00Z')]));
  await world.fold(consented('a', [pageview('2026-06-16T10:06:00Z', '/more')]));
  await world.fold(consented('a', [event(7 * 60_000)]));
  expect(await outOfRows()).toEqual([before]);
});
