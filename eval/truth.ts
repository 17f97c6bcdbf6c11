/**
 * What the generated data says, counted plainly from the generator's own output and by the reports' oracle (tests/oracle). Nothing of the
 * service's queries is used.
 */
import { generateBuyers } from '../dev/demo/generate-buyers.ts';
import { generateDay, generatePresent } from '../dev/demo/generate-traffic.ts';
import { type BackendDay, generateBackendDay } from '../dev/demo/telemetry/backend-day.ts';
import { SERVICES } from '../dev/demo/telemetry/shop-requests.ts';
import type { Filter } from '../lib/analytics/reading/filters.ts';
import type { TrackMessage } from '../lib/collection/track-message.ts';
import { funnelOf, goalsOf } from '../tests/oracle/goals.ts';
import type { OracleGoal } from '../tests/oracle/hits.ts';
import { loadsOf, vitalsOf } from '../tests/oracle/measures.ts';
import {
  overviewOf,
  pagesOf,
  rangeOf,
  timeseriesOf,
  valuesOf,
  type World,
  within,
} from '../tests/oracle/reports.ts';
import { distinctEvents, visitsOf } from '../tests/oracle/visits.ts';
import { DAYS, NOW, SEED } from './world.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ZONE = 'UTC';

const today = NOW - (NOW % DAY_MS);
const days = Array.from({ length: DAYS }, (_, n) => today - (DAYS - 1 - n) * DAY_MS);

/** What people define on the demo site. */
const GOALS: readonly OracleGoal[] = [
  { id: '1', name: 'Bought', event: 'purchase' },
  { id: '2', name: 'Put into the basket', event: 'Add to basket' },
  { id: '3', name: 'Read the journal', page: '/demo/journal/*' },
];
const FUNNEL = [
  { page: '/demo/**' },
  { event: 'Add to basket' },
  { page: '/demo/checkout' },
  { event: 'purchase' },
];

const createBuyers = (siteId: string, made: readonly BackendDay[]): TrackMessage[] =>
  made.flatMap(({ orders }, index) => generateBuyers({ siteId, seed: SEED }, days[index] ?? 0, orders));

function createSiteTruth(siteId: string, buyers: readonly TrackMessage[]) {
  const options = { siteId, seed: SEED };
  const isPast = ({ events }: TrackMessage) => events.every(({ at }) => at <= NOW);
  const messages = [
    ...days.flatMap((day) => generateDay(options, day).filter(isPast)),
    ...buyers.filter(isPast),
    ...generatePresent(options, NOW),
  ];
  const events = distinctEvents(messages);
  const world: World = { events, visits: visitsOf(events), zone: ZONE, tier: undefined, goals: GOALS };
  const filtered = (...filters: Filter[]): World => ({ ...world, filters });
  const sourcesIn = (range: { from: number; to: number }) =>
    new Map(valuesOf(world, range as never, 'source', 1000, NOW).map(({ value, visits }) => [value, visits]));

  const peak = timeseriesOf(world, '30d', 'day', NOW).reduce((a, b) => (b.visits > a.visits ? b : a));
  const peakDay = { from: Date.parse(peak.time), to: Date.parse(peak.time) + DAY_MS };
  const { range, before } = rangeOf('7d', NOW, ZONE);
  const [lately, earlier] = [sourcesIn(range), sourcesIn(before)];
  const grown = [...new Set([...lately.keys(), ...earlier.keys()])]
    .map((source) => ({ source, change: (lately.get(source) ?? 0) - (earlier.get(source) ?? 0) }))
    .sort((a, b) => b.change - a.change || (a.source < b.source ? -1 : 1))[0];
  const [bought] = goalsOf(world, '30d', NOW).data.filter(({ name }) => name === 'Bought');
  const { steps } = funnelOf(world, FUNNEL, '30d', NOW);
  const worst = steps.slice(1).reduce((a, b) => (b.dropOff > a.dropOff ? b : a));
  const vitals = vitalsOf(world, '30d', NOW);
  const worstLcp = Math.max(...vitals.map(({ lcp }) => lcp ?? 0));
  /** Bins of 1 percent can't tell these apart. */
  const slowest = vitals.filter(({ lcp }) => (lcp ?? 0) >= worstLcp * 0.98).map(({ path }) => path);
  const [onPhones] = loadsOf(
    filtered({ dimension: 'device', operator: 'is', values: ['mobile'] } as Filter),
    'site',
    rangeOf('30d', NOW, ZONE).range,
  );
  const refused = events.filter((event) => event.type === 'dropped' && within(event.at, range));
  const overview = overviewOf(world, '7d', NOW);
  const germans = filtered(
    { dimension: 'country', operator: 'is', values: ['DE'] } as Filter,
    { dimension: 'goal', operator: 'is', values: ['Read the journal'] } as Filter,
  );
  return {
    /** For questions that count for themselves. */
    ...{ world, filtered },
    visitors: { visitors: overview.visitors, changePercent: overview.visitorsChange },
    peak: {
      day: peak.time.slice(0, 10),
      visits: peak.visits,
      source: valuesOf(world, peakDay as never, 'source', 1, NOW)[0]?.value,
      note: 'A post goes round',
    },
    pages: pagesOf(world, '30d', 'reach', 3, NOW).map(({ path }) => path),
    grown,
    campaign: valuesOf(
      filtered({ dimension: 'utm_campaign', operator: 'is', values: ['strings-autumn'] } as Filter),
      ...(['30d', 'source', 10, NOW] as const),
    ).map(({ value, visits }) => ({ source: value, visits })),
    bought: { rate: bought?.exact.conversionRate, revenue: bought?.revenue },
    funnelStep: { step: 'event' in worst ? worst.event : worst.page, dropOff: worst.dropOff },
    slowest,
    phones: { lcp: onPhones?.lcp },
    germans: { visits: overviewOf(germans, '30d', NOW).visits },
    refused: Object.fromEntries(
      [...Map.groupBy(refused, (event) => (event.type === 'dropped' ? event.reason : ''))].map(
        ([reason, all]) => [reason, all.length],
      ),
    ),
  };
}

/** Cents as text with two decimals. */
const euros = (cents: number): string => (cents / 100).toFixed(2);

function createBackendTruth(made: readonly BackendDay[]) {
  const spans = made.flatMap((day) => day.spans);
  /** Epoch milliseconds. */
  const startOf = ({ startNano }: { startNano: string }) => Number(startNano.slice(0, -6));
  const since = (span: number) => NOW - span;
  // A service is entered by requests of others, and by its own jobs.
  const entries = spans.filter(({ kind, parentSpanId }) => kind === 2 || parentSpanId === null);
  const ofService = (service: (typeof SERVICES)[number], from: number) =>
    entries.filter((span) => SERVICES[span.resource] === service && startOf(span) >= from);
  const p95 = (some: typeof entries): number => {
    const sorted = some.map(({ durationNano }) => durationNano).sort((a, b) => a - b);
    return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
  };
  const rates = SERVICES.map((service) => {
    const all = ofService(service, since(7 * DAY_MS));
    return { service, errorRate: all.filter(({ statusCode }) => statusCode === 2).length / all.length };
  });
  const worst = rates.reduce((a, b) => (b.errorRate > a.errorRate ? b : a));
  const operations = Map.groupBy(ofService('shop-web', since(7 * DAY_MS)), ({ name }) => name);
  const slowest = [...operations].reduce((a, b) => (p95(b[1]) > p95(a[1]) ? b : a));
  const byDay = Map.groupBy(ofService('shop-api', since(30 * DAY_MS)), (span) =>
    new Date(startOf(span)).toISOString().slice(0, 10),
  );
  const slowDays = [...byDay].sort((a, b) => p95(b[1]) - p95(a[1])).slice(0, 3);
  const failed = spans
    .filter(
      ({ name, statusCode, parentSpanId }) =>
        name === 'POST /orders' && statusCode === 2 && parentSpanId === null,
    )
    .sort((a, b) => startOf(b) - startOf(a))[0];
  const purchases = made
    .flatMap((day) => day.orders)
    .filter(({ isPaid, endMs }) => isPaid && endMs >= since(30 * DAY_MS));
  const cents = purchases.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  const errorLogs = made
    .flatMap((day) => day.logs)
    .filter(
      ({ severityNumber, timeNano }) =>
        severityNumber >= 17 && Number(timeNano.slice(0, -6)) >= since(7 * DAY_MS),
    );
  const memoryOn = (day: number): number => {
    const values = (made[days.indexOf(day)]?.points ?? []).flatMap(({ metric, value }) =>
      metric === 2 && value !== null ? [Number(value)] : [],
    );
    return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length / 1e6);
  };
  return {
    /** For questions that count for themselves. */
    raw: { spans, logs: made.flatMap((day) => day.logs), purchases },
    services: {
      services: [...SERVICES].sort(),
      worst: worst.service,
      errorRatePercent: Math.round(worst.errorRate * 1e4) / 100,
    },
    slowestOperation: slowest[0],
    slowDays: slowDays.map(([day]) => day).sort(),
    failed: { traceId: failed?.traceId, why: failed?.statusMessage },
    /** To the minute. */
    firstOrder: new Date(Math.min(...purchases.map(({ endMs }) => endMs))).toISOString().slice(0, 16),
    orders: { count: purchases.length, sum: `EUR ${euros(cents)}` },
    errorLogs: { count: errorLogs.length },
    memory: { todayMB: memoryOn(today), yesterdayMB: memoryOn(today - DAY_MS) },
    received: { at: new Date(NOW).toISOString(), signals: ['logs', 'metrics', 'outcomes', 'traces'] },
  };
}

export type Truth = ReturnType<typeof createTruth>;

export function createTruth(siteId: string) {
  const made = days.map((day) => generateBackendDay(SEED, day, NOW));
  const buyers = createBuyers(siteId, made);
  const backend = createBackendTruth(made);
  return {
    ...{ site: createSiteTruth(siteId, buyers), backend },
    failedOrderPages: pagesAround(buyers, backend.failed.traceId),
    pagesAround: (traceId: string) => pagesAround(buyers, traceId),
    /** How many visits had a page that reported one of the traces. */
    visitsOf: (traceIds: readonly string[]) =>
      buyers.filter(({ events }) =>
        events.some((event) => event.type === 'association' && traceIds.includes(event.traceId)),
      ).length,
    /** Instants for questions of exact days. */
    ...{ today: new Date(today).toISOString(), yesterday: new Date(today - DAY_MS).toISOString() },
    now: new Date(NOW - (NOW % MINUTE_MS)).toISOString(),
  };
}

/** The paths of the visit whose page reported the trace. */
function pagesAround(
  buyers: readonly TrackMessage[],
  traceId: string | undefined,
): readonly string[] | 'not observed' {
  const asked = buyers.find(({ events }) =>
    events.some((event) => event.type === 'association' && event.traceId === traceId),
  );
  if (asked === undefined) return 'not observed';
  return buyers
    .filter(({ visitorId }) => visitorId === asked.visitorId)
    .flatMap(({ events }) => events.flatMap((event) => (event.type === 'pageview' ? [event.path] : [])));
}
