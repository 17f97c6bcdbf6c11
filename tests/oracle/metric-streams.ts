/** Random metrics: a few series of one metric, in the forms that senders use. */
import fc from 'fast-check';
import type { MetricRow, PointRow } from '../../lib/otlp/rows.ts';
import type { Kind, OraclePoint } from './metrics.ts';

export type Shape =
  | 'gauge'
  | 'upDown'
  | 'counter'
  | 'deltas'
  | 'histogram'
  | 'deltaHistogram'
  | 'exponential'
  | 'deltaExponential'
  | 'summary';

export const SHAPES: Record<Shape, Pick<MetricRow, 'type' | 'temporality' | 'monotonic'> & { kind: Kind }> = {
  gauge: { type: 'gauge', temporality: 0, monotonic: false, kind: 'level' },
  upDown: { type: 'sum', temporality: 2, monotonic: false, kind: 'level' },
  counter: { type: 'sum', temporality: 2, monotonic: true, kind: 'counter' },
  deltas: { type: 'sum', temporality: 1, monotonic: true, kind: 'counter' },
  histogram: { type: 'histogram', temporality: 2, monotonic: false, kind: 'distribution' },
  deltaHistogram: { type: 'histogram', temporality: 1, monotonic: false, kind: 'distribution' },
  exponential: { type: 'exponentialHistogram', temporality: 2, monotonic: false, kind: 'distribution' },
  deltaExponential: { type: 'exponentialHistogram', temporality: 1, monotonic: false, kind: 'distribution' },
  summary: { type: 'summary', temporality: 0, monotonic: false, kind: 'summary' },
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BOUNDS = [
  [1, 2, 5, 10],
  [1, 5, 10, 100],
  [-1, 0, 5],
];

interface DrawnPoint {
  minute: number;
  second: number;
  /** The observations since the previous point, in quarters. */
  observed: number[];
  restarts: boolean;
  fault: 'none' | 'nothing recorded' | 'not a number';
  /** True if the buckets become coarser at this point. */
  coarser: boolean;
}

interface DrawnSeries {
  group: string;
  bounds: number;
  /** The start of each stream, in minutes before its first point. 0: unknown. -1: at its first point. */
  starts: number[];
  points: DrawnPoint[][];
}

export interface Drawn {
  shape: Shape;
  series: DrawnSeries[];
}

const drawnPoint: fc.Arbitrary<DrawnPoint> = fc.record({
  // Some minutes are frequent: in the current hour, in the hour before, and on another day.
  minute: fc.oneof(fc.constantFrom(2, 3, 4, 61, 62), fc.integer({ min: 0, max: 30 * 60 })),
  second: fc.integer({ min: 0, max: 29 }),
  observed: fc.array(fc.integer({ min: -8, max: 60 }), { maxLength: 4 }),
  restarts: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  fault: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'none', 'nothing recorded', 'not a number'),
  coarser: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

export const drawnMetric: fc.Arbitrary<Drawn> = fc.record({
  shape: fc.constantFrom(...(Object.keys(SHAPES) as Shape[])),
  series: fc.array(
    fc.record({
      group: fc.constantFrom('a', 'b'),
      bounds: fc.integer({ min: 0, max: BOUNDS.length - 1 }),
      starts: fc.array(fc.constantFrom(-1, 0, 1, 5, 600, 100_000), { minLength: 2, maxLength: 2 }),
      points: fc.array(
        fc.uniqueArray(drawnPoint, { maxLength: 14, selector: ({ minute, second }) => minute * 60 + second }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

export interface SentPoint {
  series: number;
  row: Omit<PointRow, 'metric' | 'attributes'>;
}

/** The points to send, and the same points in the oracle's form. `nowMs` is the start of a minute. */
export function expand(
  { shape, series }: Drawn,
  nowMs: number,
): { sent: SentPoint[]; accepted: OraclePoint[] } {
  const sent: SentPoint[] = [];
  const accepted: OraclePoint[] = [];
  series.forEach((one, index) => {
    one.points.forEach((points, stream) => {
      expandStream(shape, one, index, stream, points, nowMs, (row, point) => {
        sent.push({ series: index, row });
        if (point !== undefined) accepted.push(point);
      });
    });
  });
  return { sent, accepted };
}

function expandStream(
  shape: Shape,
  { group, bounds: boundsIndex, starts }: DrawnSeries,
  series: number,
  stream: number,
  points: DrawnPoint[],
  nowMs: number,
  add: (row: SentPoint['row'], point: OraclePoint | undefined) => void,
): void {
  const { type, temporality, kind } = SHAPES[shape];
  const isCumulative = temporality === 2 ? kind !== 'level' : kind === 'summary';
  const timeOf = ({ minute, second }: DrawnPoint): number =>
    nowMs - (minute + 1) * MINUTE_MS + (second * 2 + stream) * 1000;
  const sorted = [...points].sort((a, b) => timeOf(a) - timeOf(b));
  const [first] = sorted;
  if (first === undefined) return;
  // Streams without a start time count as one stream. If its buckets became finer again, the resolution of the answer would be undefined.
  const isSame = shape === 'exponential' && stream > 0 && starts[0] === 0 && starts[stream] === 0;
  const start = isSame ? -1 : (starts[stream] ?? 0);
  const startMs = start === 0 ? 0 : timeOf(first) - Math.max(0, start) * MINUTE_MS - (start > 0 ? 1 : 0);
  let seen: number[] = [];
  let scale = 4;
  for (const point of sorted) {
    if (point.restarts || !isCumulative) seen = [];
    seen = [...seen, ...point.observed.map((quarters) => quarters / 4)];
    if (point.coarser) scale -= 1;
    const timeMs = timeOf(point);
    const row: SentPoint['row'] = {
      startNano: `${startMs}000000`.replace(/^0+$/, '0'),
      timeNano: `${timeMs}000000`,
      flags: point.fault === 'nothing recorded' ? 1 : 0,
      value: null,
      count: null,
      sum: null,
      min: null,
      max: null,
      distribution: null,
      exemplars: [],
    };
    const said: OraclePoint = { series, group, timeMs, startMs: isCumulative ? startMs : 0, isCumulative };
    if (type === 'gauge' || type === 'sum') {
      const positive = kind === 'level' ? seen : seen.map(Math.abs);
      said.value = positive.reduce((sum, value) => sum + value, 0);
      row.value = said.value;
    } else {
      describe(shape, seen, BOUNDS[boundsIndex] ?? [], scale, said);
      row.count = said.count ?? 0;
      row.sum = said.sum ?? null;
      row.min = said.min ?? null;
      row.max = said.max ?? null;
      row.distribution =
        said.explicit ?? said.exponential ?? (said.quantiles ? { quantiles: said.quantiles } : null);
    }
    const isNumber = row.value !== null;
    if (point.fault === 'not a number' && isNumber) row.value = 'NaN';
    const isAccepted = point.fault === 'none' || (point.fault === 'not a number' && !isNumber);
    add(row, isAccepted ? said : undefined);
  }
}

function describe(shape: Shape, seen: number[], bounds: number[], scale: number, said: OraclePoint): void {
  said.count = seen.length;
  said.sum = seen.reduce((sum, value) => sum + value, 0);
  if (shape === 'summary') {
    const sorted = [...seen].sort((a, b) => a - b);
    said.quantiles = [0.5, 0.99].map((quantile) => ({
      quantile,
      value: sorted[Math.floor(quantile * sorted.length)] ?? 'NaN',
    }));
    if (seen.length === 0) said.quantiles = [];
    return;
  }
  if (shape.startsWith('delta') && seen.length > 0) {
    said.min = Math.min(...seen);
    said.max = Math.max(...seen);
  }
  if (shape === 'histogram' || shape === 'deltaHistogram') {
    const counts = Array.from({ length: bounds.length + 1 }, () => 0);
    for (const value of seen) {
      const index = bounds.findIndex((bound) => value <= bound);
      counts[index === -1 ? bounds.length : index] = (counts[index === -1 ? bounds.length : index] ?? 0) + 1;
    }
    said.explicit = { bounds, counts };
    return;
  }
  const run = (values: number[]) => {
    const indexes = values.map((value) => Math.ceil(Math.log2(value) * 2 ** scale) - 1);
    const offset = indexes.length === 0 ? 0 : Math.min(...indexes);
    const counts = Array.from(
      { length: indexes.length === 0 ? 0 : Math.max(...indexes) - offset + 1 },
      () => 0,
    );
    for (const index of indexes) counts[index - offset] = (counts[index - offset] ?? 0) + 1;
    return { offset, counts };
  };
  said.exponential = {
    scale,
    zeroCount: seen.filter((value) => value === 0).length,
    zeroThreshold: 0,
    positive: run(seen.filter((value) => value > 0)),
    negative: run(seen.filter((value) => value < 0).map((value) => -value)),
  };
}

/** All points are within this time before now. */
export const SPAN_MS = 31 * HOUR_MS;
