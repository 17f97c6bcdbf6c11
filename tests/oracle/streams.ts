/** Random streams of tracking messages: all tiers, midnights, gaps around 30 minutes, consent upgrades, refusals. */
import fc from 'fast-check';
import * as v from 'valibot';
import { TrackMessage } from '../../lib/collection/track-message.ts';
import { byField, type Dictionary } from '../../lib/visits/dimensions.ts';
import { ORACLE_DIMENSIONS, OWN_DOMAIN } from './dimensions.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Maximum number of events per message. Messages are as many milliseconds apart, because the order of events in one millisecond is
 * undefined.
 */
const EVENTS_PER_MESSAGE = 3;

/** Zones with offsets of parts of an hour, with a clock change of half an hour, and far from UTC in both directions. */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
] as const;

/** Instants at which streams end: an ordinary one, and hours after clock changes in Berlin, New York and Lord Howe. */
export const ENDS = [
  Date.parse('2026-06-17T15:42:10.123Z'),
  Date.parse('2026-03-29T09:13:00.000Z'),
  Date.parse('2026-10-25T05:59:59.999Z'),
  Date.parse('2026-11-01T14:00:00.000Z'),
  Date.parse('2026-10-04T02:30:00.001Z'),
] as const;

export interface Stream {
  zone: (typeof ZONES)[number];
  /** The present instant of the reports; no event is later. */
  now: number;
  messages: (siteId: string) => TrackMessage[];
}

const pick = <T>(values: readonly [T, ...T[]]) => fc.constantFrom(...values);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** A random value or none for each dimension of a dictionary, by the name of the message's field. */
const drawnEntry = (dictionary: Dictionary) =>
  fc.record(byField(dictionary, (name) => maybe(pick(ORACLE_DIMENSIONS[name].values))));

/** The part of it that a tier may store. */
const heldAt = (tier: number, dictionary: Dictionary, entry: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(byField(dictionary, (name) => ORACLE_DIMENSIONS[name].lowestTier)).flatMap(
      ([field, lowestTier]) => {
        const value = entry[field];
        return tier < lowestTier || value === undefined ? [] : [[field, value]];
      },
    ),
  );

const drawnEvent = fc.record({
  id: fc.uuid(),
  kind: pick([
    'pageview',
    'pageview',
    'pageview',
    'event',
    'sent',
    'engagement',
    'vitals',
    'consent',
    'dropped',
  ]),
  /** The number of a page. Two page views may have the same one, and some later events have none. */
  page: fc.nat({ max: 5 }),
  path: pick(['/', '/pricing', '/docs/start', '/über', '/a?ref=x']),
  name: pick(['signup', 'purchase']),
  entry: fc.boolean(),
  origin: drawnEntry('origin'),
  props: maybe(pick([{ plan: 'pro' }, { plan: 'free', seats: 3 }])),
  pageProps: maybe(
    pick<Record<string, string>>([{ author: 'Ana' }, { author: 'Bo', plan: 'pro' }, { plan: 'free' }]),
  ),
  revenue: maybe(
    pick([
      { amount: '12.50', currency: 'EUR' },
      { amount: '3', currency: 'USD' },
    ]),
  ),
  interactive: maybe(fc.constant(false as const)),
  seconds: fc.integer({ min: 0, max: 600 }),
  scrollDepth: fc.oneof(pick([0, 24.9, 25, 50, 75, 99.9, 100]), fc.nat({ max: 100 })),
  vitals: fc.record(
    {
      lcp: fc.double({ min: 0, max: 60_000, noNaN: true }),
      inp: fc.integer({ min: 0, max: 2000 }),
      cls: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2, noNaN: true })),
      fcp: fc.integer({ min: 0, max: 3_600_000 }),
      ttfb: pick([0, 0.4, 1, 180, 1000]),
    },
    { requiredKeys: [] },
  ),
  reason: pick(['bot', 'hostname', 'tier'] as const),
});

const drawnMessage = fc.record({
  tier: pick([1, 2, 3, 3] as const),
  visitor: fc.nat({ max: 1 }),
  continued: fc.nat({ max: 9 }).map((n) => n === 0),
  /** Milliseconds after the previous message. */
  gap: fc.oneof(
    fc.integer({ min: 0, max: 5 * MINUTE_MS }),
    fc.integer({ min: 20 * MINUTE_MS, max: 40 * MINUTE_MS }),
    pick([0, 30 * MINUTE_MS - 2, 30 * MINUTE_MS - 3, 30 * MINUTE_MS - 4, 6 * HOUR_MS]),
  ),
  profile: drawnEntry('profile'),
  place: drawnEntry('place'),
  events: fc.oneof(
    { weight: 3, arbitrary: drawnEvent.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(drawnEvent, { minLength: 2, maxLength: EVENTS_PER_MESSAGE }) },
  ),
});

/** A page that stays open at tier 3: one visit of hours or days, up to the present or some hours before. */
const drawnStay = fc.record({
  visitor: fc.nat({ max: 1 }),
  hours: fc.integer({ min: 20, max: 46 }),
  endsHoursAgo: fc.constantFrom(0, 0, 1, 9),
  path: pick(['/', '/pricing']),
  origin: drawnEntry('origin'),
});
const STAY_GAP_MS = 29 * MINUTE_MS;
/** One event of a stay in this number is a page view. */
const STAY_VIEWS = 12;

/** Ids of tier 2 change each UTC day, ids of tier 3 never. */
function visitorId(tier: number, visitor: number, at: number, seed: string): string | undefined {
  if (tier === 1) return undefined;
  const day = tier === 2 ? Math.floor(at / (24 * HOUR_MS)) : 0;
  return `${seed}-000${tier}-4000-8000-${String(visitor).padStart(2, '0')}${String(day).padStart(10, '0')}`;
}

const MAX_SPAN_MS = 47 * HOUR_MS;

/**
 * By default the span is at most the time for which late messages are accepted, so that all messages may be folded at once. A longer
 * stream must be folded as it goes.
 */
export function streams(
  maxMessages: number,
  { minMessages = 1, maxSpanMs = MAX_SPAN_MS } = {},
): fc.Arbitrary<Stream> {
  return fc
    .record({
      zone: pick(ZONES),
      now: pick(ENDS),
      seed: fc.integer({ min: 0, max: 0xffffffff }).map((n) => n.toString(16).padStart(8, '0')),
      drawn: fc.array(drawnMessage, { minLength: minMessages, maxLength: maxMessages, size: 'max' }),
      stay: fc.option(drawnStay, { nil: undefined, freq: 8 }),
    })
    .map(({ zone, now, seed, drawn, stay }) => ({
      zone,
      now,
      messages: (siteId) => {
        const start =
          now -
          Math.min(
            maxSpanMs,
            drawn.reduce((sum, { gap }) => sum + gap, 0),
          );
        let clock = start;
        const stayed = stay === undefined ? [] : messagesOf(stay, { siteId, seed, now });
        const passing = drawn.map(({ tier, visitor, continued, gap, profile, place, events }) => {
          clock += Math.min(gap, Math.max(0, now - 1000 - clock)) + EVENTS_PER_MESSAGE;
          const received = tier === 1 ? Math.floor(clock / MINUTE_MS) * MINUTE_MS : clock;
          const identity = visitorId(tier, visitor, clock, seed);
          return v.parse(TrackMessage, {
            version: 1,
            siteId,
            tier,
            continued: tier === 3 && continued,
            ...(identity !== undefined && { visitorId: identity }),
            ...heldAt(tier, 'profile', profile),
            ...heldAt(tier, 'place', place),
            events: events.map((drawnOne, n) =>
              asEvent(drawnOne, tier, tier === 1 ? received : received + n),
            ),
          });
        });
        return [...stayed, ...passing].sort((a, b) => timeOf(a) - timeOf(b));
      },
    }));
}

const timeOf = ({ events: [first] }: TrackMessage): number => first?.at ?? 0;

type Stay = typeof drawnStay extends fc.Arbitrary<infer T> ? T : never;

function messagesOf(
  { visitor, hours, endsHoursAgo, path, origin }: Stay,
  { siteId, seed, now }: { siteId: string; seed: string; now: number },
): TrackMessage[] {
  const start = now - hours * HOUR_MS;
  const pings = Math.floor((now - endsHoursAgo * HOUR_MS - start) / STAY_GAP_MS);
  return Array.from({ length: pings }, (_, n) => {
    const id = `${seed}-5741-4000-8000-${String(n).padStart(12, '0')}`;
    const at = start + n * STAY_GAP_MS + 1;
    const page = { hostname: OWN_DOMAIN, ...heldAt(3, 'origin', origin), path, entry: true };
    const pageId = '00000000-0000-4000-8000-000000000001';
    return v.parse(TrackMessage, {
      version: 1,
      siteId,
      tier: 3,
      continued: false,
      visitorId: visitorId(3, visitor, at, seed),
      events: [
        n % STAY_VIEWS === 0
          ? { type: 'pageview', id, at, pageId, ...page }
          : { type: 'engagement', id, at, pageId, seconds: 9, scrollDepth: 50 },
      ],
    });
  });
}

type Drawn = typeof drawnEvent extends fc.Arbitrary<infer T> ? T : never;

function asEvent(drawn: Drawn, tier: number, at: number) {
  const { id, kind, path, name, entry, seconds, reason } = drawn;
  const origin = { hostname: OWN_DOMAIN, ...heldAt(tier, 'origin', drawn.origin) };
  const location = { hostname: origin.hostname, path };
  const { props, revenue, interactive } = drawn;
  const pageId = `00000000-0000-4000-8000-00000000000${drawn.page}`;
  const brought = {
    ...(props && { props }),
    ...(revenue && { revenue }),
    ...(interactive === false && { interactive }),
  };
  // What only tier 3 has is a custom event below it, or refused.
  const isEvent = kind === 'event' || (tier < 3 && (kind === 'vitals' || kind === 'consent'));
  if (kind === 'dropped' || (kind === 'engagement' && tier < 3)) return { type: 'dropped', id, at, reason };
  if (kind === 'engagement')
    return { type: 'engagement', id, at, pageId, seconds, scrollDepth: drawn.scrollDepth };
  if (isEvent) {
    // At tier 1 it stands for page and name. Few pages, so that many events are repeats.
    const digest = `${name === 'signup' ? 1 : 2}0000000-0000-4000-8000-00000000000${drawn.page % 2}`;
    return {
      type: 'event',
      id,
      at,
      ...location,
      name,
      ...brought,
      ...(tier === 1 && drawn.page > 0 && { pageId: digest }),
    };
  }
  if (kind === 'vitals') return { type: 'vitals', id, at, ...location, pageId, ...drawn.vitals };
  if (kind === 'consent') return { type: 'consent', id, at, ...location, pageId };
  // Sent by a server, which uses only the tiers 1 and 3 and may leave out the page.
  if (kind === 'sent' && tier !== 2)
    return { type: 'event', id, at, ...(drawn.entry && location), entry: false, name, ...brought };
  return {
    type: 'pageview',
    id,
    at,
    path,
    ...origin,
    entry,
    ...(drawn.pageProps && { props: drawn.pageProps }),
    ...(tier > 1 && drawn.page > 0 && { pageId }),
  };
}

/** The stream cut into batches at random, shuffled, with some batches delivered again. */
export function deliveries<T>(messages: readonly T[]): fc.Arbitrary<T[][]> {
  return fc
    .record({
      order: fc.shuffledSubarray([...messages.keys()], { minLength: messages.length }),
      inOrder: fc.boolean(),
      cuts: fc.array(fc.nat({ max: Math.max(0, messages.length - 1) }), { maxLength: 6 }),
      again: fc.array(fc.nat({ max: 6 }), { maxLength: 2 }),
    })
    .map(({ order, inOrder, cuts, again }) => {
      const sorted = (inOrder ? [...messages.keys()] : order).flatMap((index) =>
        messages.slice(index, index + 1),
      );
      const edges = [...new Set([0, ...cuts, messages.length])].sort((a, b) => a - b);
      const batches = edges.slice(1).map((edge, n) => sorted.slice(edges[n], edge));
      return [...batches, ...again.flatMap((n) => batches.slice(n, n + 1))];
    });
}
