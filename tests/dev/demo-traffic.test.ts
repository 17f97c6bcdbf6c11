import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { generateDay, startOf } from '../../dev/demo/generate-traffic.ts';
import { TrackMessage } from '../../lib/collection/track-message.ts';

const DAY_MS = 86_400_000;
const options = { siteId: '0d4f9a6e-3f2b-4c52-9d1a-6f0a5a8f3c11', seed: 7 };
const first = Date.UTC(2026, 9, 5);
const month = Array.from({ length: 30 }, (_, index) => generateDay(options, first + index * DAY_MS));
const messages = month.flat();

describe('made-up traffic', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(generateDay(options, first)).toEqual(month[0]);
    expect(generateDay({ ...options, seed: 8 }, first)).not.toEqual(month[0]);
  });

  test('is what track may queue', () => {
    for (const message of messages) v.parse(TrackMessage, message);
  });

  test('has every event once', () => {
    const ids = messages.flatMap(({ events }) => events.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(30_000);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(month.map((day, index) => [index, day] as const))(
    'day %i is in order, and within itself',
    (index, day) => {
      const times = day.map(startOf);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThanOrEqual(first + index * DAY_MS);
      expect(times.at(-1)).toBeLessThan(first + (index + 1) * DAY_MS);
    },
  );

  test('holds no more than each tier may', () => {
    // One comparison for all: a month has 30,000 events.
    const held = (tier: number, keys: (keyof TrackMessage)[]) =>
      messages.flatMap((message) =>
        message.tier < tier ? keys.filter((key) => (message[key] ?? false) !== false) : [],
      );
    expect(held(3, ['os', 'continued'])).toEqual([]);
    expect(held(2, ['visitorId', 'region', 'city', 'language', 'screen'])).toEqual([]);
    const events = messages.flatMap(({ tier, events }) => events.map((event) => ({ tier, event })));
    const below3 = events.filter(({ tier }) => tier < 3);
    expect(below3.filter(({ event }) => ['engagement', 'vitals'].includes(event.type))).toEqual([]);
    const below2 = events.filter(({ tier }) => tier === 1);
    expect(below2.filter(({ event }) => 'title' in event || event.at % 60_000 !== 0)).toEqual([]);
    expect(below2.length).toBeGreaterThan(1000);
  });

  test('mixes the tiers, 40 % of the visits at tier 1', () => {
    const entries = messages.filter(({ events: [event] }) => event?.type === 'pageview' && event.entry);
    const share = (tier: number): number =>
      entries.filter((message) => message.tier === tier).length / entries.length;
    expect(share(1)).toBeCloseTo(0.4, 1);
    expect(share(2)).toBeCloseTo(0.25, 1);
    expect(share(3)).toBeCloseTo(0.35, 1);
  });

  test('has visitors who return on other days', () => {
    const daysOf = new Map<string, Set<number>>();
    for (const message of messages.filter(({ tier }) => tier === 3)) {
      const day = Math.floor(startOf(message) / DAY_MS);
      const id = message.visitorId ?? '';
      daysOf.set(id, (daysOf.get(id) ?? new Set()).add(day));
    }
    const returning = [...daysOf.values()].filter((days) => days.size > 1).length;
    expect(returning / daysOf.size).toBeGreaterThan(0.1);
  });

  test('has a front page that is seen far more than the rest, and a weekend that is calmer', () => {
    const views = messages.flatMap(({ events }) => events.filter((event) => event.type === 'pageview'));
    const front = views.filter(({ path }) => path === '/demo').length;
    expect(front / views.length).toBeGreaterThan(0.2);
    const weekday = (wanted: number[]): number => {
      const chosen = month.filter((_, index) =>
        wanted.includes(new Date(first + index * DAY_MS).getUTCDay()),
      );
      return chosen.flat().length / chosen.length;
    };
    expect(weekday([0, 6])).toBeLessThan(0.8 * weekday([1, 2, 3, 4, 5]));
  });

  test('tells stories: a newsletter on Tuesdays, a post on the 18th, and a checkout that loses buyers on phones', () => {
    const visitsOf = (wanted: (day: number) => boolean, source: string): number => {
      const entries = month
        .filter((_, index) => wanted(first + index * DAY_MS))
        .flat()
        .flatMap(({ events: [event] }) => (event?.type === 'pageview' && event.entry ? [event] : []));
      return entries.filter((entry) => entry.source === source).length / entries.length;
    };
    const isTuesday = (day: number) => new Date(day).getUTCDay() === 2;
    const is18th = (day: number) => new Date(day).getUTCDate() === 18;
    expect(visitsOf(isTuesday, 'newsletter')).toBeGreaterThan(0.2);
    expect(visitsOf((day) => !isTuesday(day), 'newsletter')).toBe(0);
    expect(visitsOf(is18th, 'Hacker News')).toBeGreaterThan(0.3);
    expect(visitsOf((day) => !is18th(day), 'Hacker News')).toBe(0);

    const buyersOf = (device: string): number => {
      const events = messages.flatMap((message) => (message.device === device ? message.events : []));
      const opened = events.filter(
        ({ type, ...event }) => type === 'pageview' && 'path' in event && event.path === '/demo/checkout',
      );
      const paid = events.filter((event) => event.type === 'event' && event.name === 'purchase');
      return paid.length / opened.length;
    };
    expect(buyersOf('mobile')).toBeLessThan(0.5 * buyersOf('desktop'));
  });
});
