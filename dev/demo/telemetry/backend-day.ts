/** Generates a day of telemetry of the demo shop's backend: the same for the same seed and day. */
import type { LogRow, MetricRow, PointRow, SpanRow } from '../../../lib/otlp/rows.ts';
import { isBurst } from '../generate-traffic.ts';
import { createRandom, mixSeeds, type Random } from '../seeded-random.ts';
import { browse, type Circumstances, newsletter, order } from './shop-requests.ts';
import { layOutTrace, toNano } from './span-tree.ts';

const HOUR_MS = 3_600_000;
const METRIC_INTERVAL_MS = 5 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const REQUESTS_A_DAY = 260;
/** Every ninth day has a faulty deployment, from 14:00 to 16:00; the one of the day with the most visits was found in the evening. */
const BAD_EVERY_DAYS = 9;
const BAD_HOURS = [14, 15];
const BURST_BAD_HOURS = [14, 15, 16, 17, 18, 19, 20, 21];
/** Most traffic comes in the European evening. */
const HOURS = [5, 3, 2, 2, 2, 4, 9, 18, 28, 34, 36, 38, 42, 38, 36, 36, 40, 44, 52, 60, 62, 48, 28, 12].map(
  (weight, hour) => [hour, weight] as const,
);
const BOUNDS_MS = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000];

/** An attempt to order. Times are epoch milliseconds, the amount is in EUR. */
export interface Order {
  orderId: string;
  startMs: number;
  endMs: number;
  amount: string;
  /** HTTP status. */
  status: number;
  isPaid: boolean;
  traceId: string;
  spanId: string;
}

export interface BackendDay {
  spans: SpanRow[];
  logs: LogRow[];
  metrics: MetricRow[];
  points: PointRow[];
  orders: Order[];
}

/** The telemetry of the UTC day that begins at `day` (epoch milliseconds), up to `now`. */
export function generateBackendDay(seed: number, day: number, now: number): BackendDay {
  const random = createRandom(mixSeeds(seed, Math.floor(day / DAY_MS), 7));
  const made: BackendDay = { spans: [], logs: [], metrics: METRICS, points: [], orders: [] };
  const begins = [3 * HOUR_MS, ...Array.from({ length: REQUESTS_A_DAY }, () => beginOf(random))];
  for (const [index, offset] of begins.entries()) {
    const at = day + offset;
    const circumstances = { random, isBad: isBadHour(day, offset) };
    if (index === 0) add(made, layOutTrace(newsletter(circumstances), at, random), []);
    else if (random.chance(0.12)) addOrder(made, circumstances, at);
    else add(made, layOutTrace(browse(circumstances), at, random), []);
  }
  addPoints(made, day, random);
  return upTo(made, now);
}

const beginOf = (random: Random): number => random.pick(HOURS) * HOUR_MS + random.between(0, HOUR_MS - 1);

function isBadHour(day: number, offset: number): boolean {
  const dayNumber = Math.floor(day / DAY_MS);
  const hour = Math.floor(offset / HOUR_MS);
  if (isBurst(dayNumber)) return BURST_BAD_HOURS.includes(hour);
  return dayNumber % BAD_EVERY_DAYS === 0 && BAD_HOURS.includes(hour);
}

function add(made: BackendDay, { spans }: { spans: SpanRow[] }, logs: LogRow[]): void {
  made.spans.push(...spans);
  made.logs.push(...logs);
}

function addOrder(made: BackendDay, circumstances: Circumstances, at: number): void {
  const { random } = circumstances;
  const { step, status, problem } = order(circumstances);
  const trace = layOutTrace(step, at, random);
  const [root] = trace.spans;
  if (root === undefined) return;
  const orderId = `o-${random.between(100_000, 999_999)}`;
  const amount = `${random.between(9, 89)}.${random.pick([
    ['00', 1],
    ['50', 2],
    ['90', 4],
  ] as const)}`;
  const log = {
    resource: 1,
    scope: 0,
    timeNano: toNano(trace.endMs),
    observedNano: toNano(trace.endMs),
    eventName: '',
    droppedAttributes: 0,
    cutAttributes: 0,
    bodyCut: false,
    traceId: trace.traceId,
    spanId: root.spanId,
    flags: 1,
    attributes: { 'order.id': orderId },
  };
  const isPaid = problem === undefined;
  const isTimeOut = problem?.includes('acquirer') === true;
  const message = isPaid
    ? { severityNumber: 9, severityText: 'INFO', body: `order ${orderId} placed` }
    : isTimeOut
      ? { severityNumber: 17, severityText: 'ERROR', body: `order ${orderId} failed: ${problem}` }
      : { severityNumber: 13, severityText: 'WARN', body: `order ${orderId} refused: ${problem}` };
  add(made, trace, [{ ...log, ...message }]);
  const { traceId, endMs } = trace;
  made.orders.push({ orderId, startMs: at, endMs, amount, status, isPaid, traceId, spanId: root.spanId });
}

const METRICS: MetricRow[] = [
  {
    resource: 0,
    scope: 0,
    name: 'http.server.requests',
    description: 'Requests that were answered',
    unit: '{request}',
    type: 'sum',
    temporality: 2,
    monotonic: true,
  },
  {
    resource: 0,
    scope: 0,
    name: 'http.server.request.duration',
    description: 'How long they took',
    unit: 'ms',
    type: 'histogram',
    temporality: 1,
    monotonic: false,
  },
  {
    resource: 1,
    scope: 0,
    name: 'process.memory.usage',
    description: 'Memory in use',
    unit: 'By',
    type: 'gauge',
    temporality: 0,
    monotonic: false,
  },
];

/** Metrics every five minutes: a counter that restarts at midnight with the shop, a histogram and a gauge. */
function addPoints(made: BackendDay, day: number, random: Random): void {
  const roots = made.spans
    .filter(({ resource, kind }) => resource === 0 && kind === 2)
    .sort((a, b) => (a.startNano < b.startNano ? -1 : 1));
  let begun = 0;
  let memory = 180e6;
  for (let at = day + METRIC_INTERVAL_MS; at <= day + DAY_MS - 1; at += METRIC_INTERVAL_MS) {
    const since = at - METRIC_INTERVAL_MS;
    const lately: SpanRow[] = [];
    for (let next = roots[begun]; next !== undefined && next.startNano < toNano(at); next = roots[begun]) {
      lately.push(next);
      begun += 1;
    }
    memory = Math.max(150e6, memory + random.between(-6_000_000, 6_400_000));
    const point = {
      attributes: {},
      timeNano: toNano(at),
      flags: 0,
      value: null,
      count: null,
      sum: null,
      min: null,
      max: null,
    };
    const rest = { distribution: null, exemplars: [] };
    made.points.push(
      { ...point, ...rest, metric: 0, startNano: toNano(day), value: begun },
      { ...point, ...rest, metric: 1, startNano: toNano(since), ...histogramOf(lately) },
      { ...point, ...rest, metric: 2, startNano: '0', value: memory },
    );
  }
}

function histogramOf(spans: readonly SpanRow[]): Partial<PointRow> {
  const took = spans.map(({ durationNano }) => durationNano / 1e6);
  const counts = [...BOUNDS_MS, Number.POSITIVE_INFINITY].map(
    (bound, at, bounds) => took.filter((ms) => ms <= bound && ms > (bounds[at - 1] ?? -1)).length,
  );
  return {
    count: took.length,
    sum: took.reduce((sum, ms) => sum + ms, 0),
    min: took.length === 0 ? null : Math.min(...took),
    max: took.length === 0 ? null : Math.max(...took),
    distribution: { bounds: BOUNDS_MS, counts },
  };
}

/** Removes everything that isn't over at `now`. */
function upTo(made: BackendDay, now: number): BackendDay {
  const nano = toNano(now);
  const over = new Map<string, boolean>();
  for (const { traceId, startNano, durationNano } of made.spans)
    over.set(traceId, (over.get(traceId) ?? true) && Number(startNano) + durationNano <= now * 1e6);
  return {
    ...made,
    spans: made.spans.filter(({ traceId }) => over.get(traceId)),
    logs: made.logs.filter(({ timeNano }) => timeNano <= nano),
    points: made.points.filter(({ timeNano }) => timeNano <= nano),
    orders: made.orders.filter(({ endMs }) => endMs <= now),
  };
}
