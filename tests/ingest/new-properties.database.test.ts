/** A day of a site takes a limited number of keys and values of properties, whoever sends them; what they cost the seal of the day ends there. */
import { expect, test } from 'vitest';
import { reportDropped } from '../../lib/analytics/lists/dropped.ts';
import { reportEventProps } from '../../lib/analytics/lists/event-props.ts';
import { reportPageProps } from '../../lib/analytics/lists/page-props.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { StoredEvent } from '../../lib/collection/track-message.ts';
import { OTHER } from '../../lib/visits/other-value.ts';
import {
  consented,
  counts,
  custom,
  pageview,
  useWorlds,
  type World,
} from '../lib/analytics/reports-world.ts';

const makeWorld = useWorlds();
const DAY = { from: '2026-06-16', to: '2026-06-16' };
const PAGE = { limit: 100, offset: 0 };
const AT = '2026-06-16T10:00:00Z';
/** Limits of a day (schema/functions/new-values.sql) and of an event (lib/collection/track-message.ts). */
const NEW = 2000;
const FURTHER = 20_000;
const OF_EVENT = 20;

type Props = Record<string, string | number | boolean>;
const event = (props: Props, name = 'buy', at = AT): StoredEvent =>
  ({ ...custom(at, name), props }) as StoredEvent;
const numbered = (count: number, first = 0) => Array.from({ length: count }, (_, n) => first + n);

async function foldAll({ fold }: World, events: readonly StoredEvent[]): Promise<void> {
  const messages = numbered(Math.ceil(events.length / 20)).map((n) =>
    counts(events.slice(n * 20, n * 20 + 20)),
  );
  for (let n = 0; n < messages.length; n += 100) await fold(...messages.slice(n, n + 100));
}

const full = ({ sql, siteId }: World, kind: string, taken: number) => sql`
  insert into new_values (site_key, day, kind, taken) select key, '2026-06-16', ${kind}, ${taken} from sites where id = ${siteId}`;

const valuesOf = async ({ ctx, siteId }: World, name: string, key?: string) =>
  Object.fromEntries(
    (await reportEventProps(ctx(), { siteId, range: DAY, name, key, ...PAGE })).data.map((row) => [
      key === undefined ? row.key : row.value,
      row.events,
    ]),
  );
const otherOf = async ({ ctx, siteId }: World) =>
  (await reportOverview(ctx(), { siteId, range: DAY })).meta.coverage.other.properties;

test('of 2200 new values of a key 1999 stay beside the key, and the figures add up, sealed and not', async () => {
  const world = await makeWorld();
  const { sql, siteId, ctx } = world;
  const events = numbered(2200).map((n) => event({ id: `v${n}` }));
  await foldAll(world, events);
  // What is sent again counts once.
  await foldAll(world, events);
  const stored = () => sql`
    select count(distinct e.data -> 'props')::int as different, count(*)::int as events
    from events e join sites on key = site_key where id = ${siteId}`;
  expect(await stored()).toEqual([{ different: NEW, events: 2200 }]);
  const before = await valuesOf(world, 'buy', 'id');
  expect(before[OTHER]).toBe(201);
  expect(await valuesOf(world, 'buy')).toEqual({ id: 2200 });
  expect(await otherOf(world)).toBe(201);
  expect((await sealVisits(ctx(), { timeMs: 60_000 })).faults).toEqual([]);
  expect(await valuesOf(world, 'buy', 'id')).toEqual(before);
  const [seal] = await sql`
    select cardinality(value) as texts from rollup_props join sites on key = site_key where id = ${siteId}`;
  expect(seal?.texts).toBe(NEW + 1);
});

test('known values and keys stay, and each kind of event has its own', async () => {
  const world = await makeWorld();
  const { sql, siteId } = world;
  await foldAll(world, [event({ plan: 'pro', seats: 3, trial: true })]);
  await sql`update new_values set taken = ${NEW} from sites where id = ${siteId} and site_key = key and kind = 'properties'`;
  await foldAll(world, [
    event({ plan: 'pro', seats: 3, trial: true }),
    event({ plan: 'made up', seats: 4, made: 'up' }),
    event({ plan: 'pro' }, 'sell'),
  ]);
  expect(await valuesOf(world, 'buy')).toEqual({ plan: 3, seats: 3, trial: 2, [OTHER]: 1 });
  expect(await valuesOf(world, 'buy', 'plan')).toEqual({ pro: 2, [OTHER]: 1 });
  expect(await valuesOf(world, 'buy', 'seats')).toEqual({ 3: 2, [OTHER]: 1 });
  expect(await valuesOf(world, 'buy', OTHER)).toEqual({ [OTHER]: 1 });
  expect(await valuesOf(world, 'sell')).toEqual({ [OTHER]: 1 });
  expect(await otherOf(world)).toBe(2);
});

test('page views have the same limit', async () => {
  const world = await makeWorld();
  await full(world, 'properties', NEW - 2);
  await world.fold(
    counts([pageview(AT, '/', { props: { author: 'Ana' } })]),
    counts([pageview('2026-06-16T10:01:00Z', '/', { props: { author: 'made up' } })]),
  );
  const { data } = await reportPageProps(world.ctx(), {
    siteId: world.siteId,
    range: DAY,
    key: 'author',
    ...PAGE,
  });
  expect(Object.fromEntries(data.map(({ value, pageviews }) => [value, pageviews]))).toEqual({
    Ana: 1,
    [OTHER]: 1,
  });
  expect(await otherOf(world)).toBe(1);
});

test('nobody sends (other)', async () => {
  const world = await makeWorld();
  await foldAll(world, [event({ [OTHER]: 'x', plan: OTHER })]);
  expect(await valuesOf(world, 'buy')).toEqual({ other: 1, plan: 1 });
  expect(await valuesOf(world, 'buy', 'plan')).toEqual({ other: 1 });
  expect(await otherOf(world)).toBe(0);
});

test('a day takes a number of properties beyond the fifth of their events; then such events lose theirs, and count', async () => {
  const world = await makeWorld();
  const { ctx, siteId } = world;
  await full(world, 'further', FURTHER - 20);
  const large = Object.fromEntries(numbered(OF_EVENT).map((n) => [`k${n}`, 1]));
  const small = { k0: 1, k1: 1, k2: 1, k3: 1, k4: 1 };
  await world.fold(
    consented('a', [event(large, 'a')]),
    consented('b', [event(large, 'b', '2026-06-16T10:01:00Z'), event(small, 'c', '2026-06-16T10:02:00Z')]),
    counts([pageview('2026-06-16T10:03:00Z', '/', { props: large })]),
  );
  expect(Object.keys(await valuesOf(world, 'a'))).toHaveLength(OF_EVENT);
  expect(await valuesOf(world, 'b')).toEqual({});
  expect(Object.keys(await valuesOf(world, 'c'))).toHaveLength(5);
  const { data } = await reportDropped(ctx(), { siteId, range: DAY });
  expect(data).toMatchObject([{ reason: 'properties', events: 2 }]);
  expect((await reportOverview(ctx(), { siteId, range: DAY })).data).toMatchObject({ pageviews: 1 });
});

test('events with fewer than five properties make room for large ones', async () => {
  const world = await makeWorld();
  await full(world, 'further', FURTHER);
  const large = Object.fromEntries(numbered(OF_EVENT).map((n) => [`k${n}`, 1]));
  const views = numbered(3).map((n) => pageview(`2026-06-16T10:0${n}:00Z`, '/'));
  // Three page views without properties make room for the 15 that `a` has beyond five, and `b` finds none.
  const events = [event(large, 'a', '2026-06-16T10:05:00Z'), event(large, 'b', '2026-06-16T10:06:00Z')];
  await world.fold(consented('a', [...views, ...events]));
  expect(Object.keys(await valuesOf(world, 'a'))).toHaveLength(OF_EVENT);
  expect(await valuesOf(world, 'b')).toEqual({});
  const { data } = await reportDropped(world.ctx(), { siteId: world.siteId, range: DAY });
  expect(data).toMatchObject([{ reason: 'properties', events: 1 }]);
});

test('what is known goes with the raw events', async () => {
  const world = await makeWorld();
  const known = () => world.sql`
    select count(*)::int as n from known_properties join sites on key = site_key where id = ${world.siteId}`;
  await foldAll(world, [event({ plan: 'pro' })]);
  await foldAll(world, [event({ plan: 'pro' }, 'buy', '2026-06-17T10:00:00Z')]);
  const drop = (at: string) => world.sql`select drop_raw_events(${at}::timestamptz)`;
  await drop('2026-06-21T23:00:00Z');
  expect(await known()).toEqual([{ n: 2 }]);
  await drop('2026-06-22T01:00:00Z');
  expect(await known()).toEqual([{ n: 0 }]);
});
