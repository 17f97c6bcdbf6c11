/** Random visits over months, and random ranges for reports about them. */
import fc from 'fast-check';
import * as v from 'valibot';
import { TrackMessage } from '../../lib/collection/track-message.ts';
import { byField, type Dictionary } from '../../lib/visits/dimensions.ts';
import { localDate, nextDay, startOfDay } from '../oracle/clock.ts';
import { drawnValue, ORACLE_DIMENSIONS, OWN_DOMAIN } from '../oracle/dimensions.ts';
import { type OracleRange, rangeOf } from '../oracle/reports.ts';

const DAY_MS = 86_400_000;
const SPAN_MS = 110 * DAY_MS;

export const drawnVisit = fc.record({
  id: fc.uuid(),
  /** Milliseconds before the present. Mostly different for each visit. */
  ago: fc.oneof(fc.integer({ min: 0, max: SPAN_MS }), fc.integer({ min: 0, max: 9 * DAY_MS })),
  visitor: fc.nat({ max: 5 }),
  tier: fc.constantFrom(2 as const, 3 as const, 3 as const, 3 as const),
  continued: fc.nat({ max: 9 }).map((n) => n === 0),
  kind: fc.constantFrom('pageview', 'pageview', 'event', 'sent', 'engagement'),
  path: fc.constantFrom('/', '/pricing'),
  /** Number that selects the values of its dimensions. */
  values: fc.nat({ max: 11 }),
});
/** Visits that all begin at different instants. */
export const drawnVisits = (minLength: number, maxLength: number) =>
  fc.uniqueArray(drawnVisit, { selector: ({ ago }) => ago, minLength, maxLength, size: 'max' });
export type DrawnVisit = typeof drawnVisit extends fc.Arbitrary<infer T> ? T : never;

type AnyPath = Omit<DrawnVisit, 'path'> & { path: string };

export function asMessage({ id, ago, kind, path, values, ...of }: AnyPath, now: number, siteId: string) {
  const { tier, visitor, continued } = of;
  const drawn = (dictionary: Dictionary) =>
    Object.fromEntries(
      Object.entries(
        byField(dictionary, (name) =>
          tier < ORACLE_DIMENSIONS[name].lowestTier ? undefined : drawnValue(name, values),
        ),
      ).filter(([, value]) => value !== undefined),
    );
  const origin = { hostname: OWN_DOMAIN, ...drawn('origin') };
  const page = { id, at: now - ago, hostname: origin.hostname, path };
  const pageId = '00000000-0000-4000-8000-000000000000';
  const events: Record<typeof kind, object> = {
    pageview: {
      type: 'pageview',
      ...page,
      ...origin,
      entry: true,
      ...(values % 3 > 0 && { props: { plan: `page ${values % 2}`, author: visitor % 2 } }),
    },
    event: {
      type: 'event',
      ...page,
      name: 'signup',
      props: { plan: `plan ${values % 2}`, seats: visitor % 2 },
    },
    sent: { type: 'event', ...page, name: 'purchase', entry: false, props: { plan: path } },
    engagement: { type: 'engagement', id, at: page.at, pageId, seconds: 3, scrollDepth: 50 },
  };
  // Ids of tier 2 change each UTC day.
  const day = tier === 2 ? Math.floor(page.at / DAY_MS) : 10_000;
  return v.parse(TrackMessage, {
    version: 1,
    siteId,
    tier,
    visitorId: `${siteId.slice(0, 24)}${String(day)}${String(visitor).padStart(7, '0')}`,
    continued: tier === 3 && continued,
    ...drawn('profile'),
    ...drawn('place'),
    events: [tier === 2 && kind === 'sent' ? events.event : events[kind]],
  });
}

/** A period, or a range of days up to some weeks before or after the present, in the report's and the oracle's form. */
export const drawnRange = fc.oneof(
  fc
    .constantFrom('24h' as const, '7d' as const, '30d' as const, '90d' as const)
    .map((period) => ({ period })),
  fc.record({ first: fc.integer({ min: -100, max: 3 }), days: fc.integer({ min: 1, max: 91 }) }),
);
type DrawnRange = typeof drawnRange extends fc.Arbitrary<infer T> ? T : never;

export function readRange(drawn: DrawnRange, now: number, zone: string) {
  if ('period' in drawn) return { asked: drawn, range: rangeOf(drawn.period, now, zone).range };
  const noon = startOfDay(now, zone) + DAY_MS / 2;
  const [from, to] = [noon + drawn.first * DAY_MS, noon + (drawn.first + drawn.days - 1) * DAY_MS];
  const range: OracleRange = { from: startOfDay(from, zone), to: nextDay(to, zone) };
  return { asked: { from: localDate(from, zone), to: localDate(to, zone) }, range };
}
