/** OTLP export requests, in JSON, with made-up spans, log records and metric points. The same numbers make the same items. */
import { createHash } from 'node:crypto';

export const SIGNALS = ['traces', 'logs', 'metrics'] as const;
export type SignalName = (typeof SIGNALS)[number];

/** Items `from` (included) to `to` (excluded), and when each happens, in epoch milliseconds. */
export interface Range {
  from: number;
  to: number;
  timeOf: (number: number) => number;
}

export const SERVICES = ['shop', 'cart', 'search', 'mail', 'stock'];
export const SPANS_A_TRACE = 8;
const ROUTES = ['/', '/cart', '/orders/:id', '/users/:id', '/search', '/health', '/stock/:id', '/mail'];
const BODIES = [
  (n: number) => `order ${n % 9973} was paid with card in ${n % 700} ms`,
  (n: number) => `user ${n % 50_021} signed in from a new device`,
  (n: number) => `cache miss for product ${n % 3001}, read from the database`,
  (n: number) => `job ${n % 17} of the nightly import finished, ${n % 4001} rows`,
];
const METRICS = [
  { name: 'process.memory.usage', unit: 'By', kind: 'gauge' },
  { name: 'http.server.requests', unit: '1', kind: 'sum' },
  { name: 'http.server.request.duration', unit: 's', kind: 'histogram' },
] as const;
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const CUMULATIVE = 2;
/** One span and one record in this many failed. */
const FAILED_EVERY = 50;

type Attribute = { key: string; value: object };
const text = (key: string, stringValue: string): Attribute => ({ key, value: { stringValue } });
const whole = (key: string, value: number): Attribute => ({ key, value: { intValue: String(value) } });
const hash = (what: string): string => createHash('md5').update(what).digest('hex');
const nano = (ms: number): string => `${Math.round(ms * 1000)}000`;
const range = ({ from, to }: Range): number[] => Array.from({ length: to - from }, (_, at) => from + at);

/** A number of another item, as if drawn: from 0 to below `below`. */
const draw = (number: number, below: number): number =>
  ((Math.imul(number + 1, 0x9e3779b1) >>> 0) / 2 ** 32) * below;

export const traceIdOf = (span: number): string => hash(`trace ${Math.floor(span / SPANS_A_TRACE)}`);
const spanIdOf = (span: number): string => hash(`span ${span}`).slice(0, 16);
const isFailed = (number: number): boolean => number % FAILED_EVERY === 7;
const serviceOf = (number: number): number => number % SERVICES.length;

/** `series`: number of metric series; each gets its points in turn. */
export function makeSignals(signal: SignalName, items: Range, series = 1): object {
  switch (signal) {
    case 'traces':
      return {
        resourceSpans: byService(range(items), (numbers) => ({
          scopeSpans: [{ scope: { name: 'http' }, spans: numbers.map((n) => makeSpan(n, items.timeOf(n))) }],
        })),
      };
    case 'logs':
      return {
        resourceLogs: byService(range(items), (numbers) => ({
          scopeLogs: [
            { scope: { name: 'pino' }, logRecords: numbers.map((n) => makeLog(n, items.timeOf(n))) },
          ],
        })),
      };
    case 'metrics':
      return {
        resourceMetrics: byService(
          range(items),
          (numbers) => ({
            scopeMetrics: [{ scope: { name: 'meter' }, metrics: makeMetrics(numbers, items, series) }],
          }),
          (n) => serviceOf(n % series),
        ),
      };
  }
}

function byService<Scopes extends object>(
  numbers: readonly number[],
  scopesOf: (numbers: number[]) => Scopes,
  of = serviceOf,
) {
  return SERVICES.map((service, at) => ({
    resource: { attributes: [text('service.name', service), text('host.name', `web-${at}`)] },
    ...scopesOf(numbers.filter((n) => of(n) === at)),
  }));
}

function makeSpan(n: number, startMs: number) {
  const route = ROUTES[n % ROUTES.length] ?? '/';
  const root = n - (n % SPANS_A_TRACE);
  const durationMs = 1 + draw(n, 1) ** 2 * 300;
  return {
    ...{ traceId: traceIdOf(n), spanId: spanIdOf(n), parentSpanId: n === root ? '' : spanIdOf(root) },
    ...{ name: `GET ${route}`, kind: n % 2 === 0 ? 2 : 3, status: { code: isFailed(n) ? 2 : 0 } },
    ...{ startTimeUnixNano: nano(startMs), endTimeUnixNano: nano(startMs + durationMs), flags: 257 },
    attributes: [
      text('http.request.method', 'GET'),
      text('url.scheme', 'https'),
      text('url.path', `/orders/${n % 9973}`),
      text('http.route', route),
      text('server.address', 'shop.example.com'),
      whole('server.port', 443),
      text('client.address', `203.0.113.${n % 256}`),
      text('user_agent.original', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/153.0.0.0'),
      whole('http.response.status_code', isFailed(n) ? 500 : 200),
      whole('http.response.body.size', Math.floor(draw(n, 100_000))),
      text('network.protocol.version', '1.1'),
      text('customer', `c-${Math.floor(draw(n, 20_000))}`),
    ],
  };
}

function makeLog(n: number, timeMs: number) {
  const body = BODIES[n % BODIES.length]?.(Math.floor(draw(n, 1e6))) ?? '';
  return {
    ...{ timeUnixNano: nano(timeMs), observedTimeUnixNano: nano(timeMs + 1) },
    ...(isFailed(n)
      ? { severityNumber: 17, severityText: 'ERROR' }
      : { severityNumber: 9, severityText: 'INFO' }),
    body: { stringValue: isFailed(n) ? `declined: ${body}` : body },
    attributes: [
      text('http.route', ROUTES[n % ROUTES.length] ?? '/'),
      text('customer', `c-${Math.floor(draw(n, 20_000))}`),
      whole('line', n),
    ],
    ...(n % 2 === 0 && { traceId: traceIdOf(n), spanId: spanIdOf(n), flags: 1 }),
  };
}

/** The points of some series at some times, by series `n % series`. */
function makeMetrics(numbers: readonly number[], { timeOf }: Range, series: number) {
  return METRICS.map(({ name, unit, kind }, at) => {
    const dataPoints = numbers
      .filter((n) => (n % series) % METRICS.length === at)
      .map((n) => makePoint(kind, n % series, { turn: Math.floor(n / series), timeMs: timeOf(n) }));
    const many = { aggregationTemporality: CUMULATIVE, dataPoints };
    if (kind === 'gauge') return { name, unit, gauge: { dataPoints } };
    if (kind === 'sum') return { name, unit, sum: { ...many, isMonotonic: true } };
    return { name, unit, histogram: many };
  }).filter((metric) => Object.values(metric).some((part) => part.dataPoints?.length > 0));
}

function makePoint(
  kind: (typeof METRICS)[number]['kind'],
  series: number,
  { turn, timeMs }: { turn: number; timeMs: number },
) {
  const point = {
    attributes: [text('http.route', ROUTES[series % ROUTES.length] ?? '/'), text('instance', `i-${series}`)],
    timeUnixNano: nano(timeMs),
  };
  if (kind === 'gauge') return { ...point, asDouble: 2e8 + draw(turn + series, 1e8) };
  const startTimeUnixNano = nano(1_750_000_000_000);
  if (kind === 'sum') return { ...point, startTimeUnixNano, asInt: String(turn * 40 + (series % 40)) };
  const bucketCounts = [...BOUNDS, Number.POSITIVE_INFINITY].map((_, at) => String(turn * (11 - at)));
  const count = bucketCounts.reduce((sum, counted) => sum + Number(counted), 0);
  return {
    ...{ ...point, startTimeUnixNano, count: String(count), sum: count / 20 },
    ...{ bucketCounts, explicitBounds: BOUNDS },
  };
}
