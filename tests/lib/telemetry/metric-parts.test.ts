/** The pure parts of metrics: buckets of a range, quantiles in a histogram's bucket, and which aggregations a type has. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetricType } from '../../../lib/otlp/rows.ts';
import { suitableFor, unitOf } from '../../../lib/telemetry/metrics/aggregations.ts';
import {
  bucketsOf,
  INTERVALS,
  MAX_BUCKETS,
  secondsOf,
} from '../../../lib/telemetry/metrics/metric-interval.ts';
import { explicitQuantile, exponentialQuantile } from '../../../lib/telemetry/metrics/quantile.ts';
import { instantsOf } from '../../../lib/telemetry/telemetry-range.ts';

const at = (text: string): number => Date.parse(`2026-11-21T${text}Z`);

describe('buckets', () => {
  test.each([
    ['09:00:00.000', '10:00:00.000', undefined, '09:00:00', 60, 60],
    ['09:07:12.345', '10:07:12.345', undefined, '09:07:00', 60, 61],
    ['09:07:12.345', '10:07:12.345', '15m', '09:00:00', 900, 5],
    ['00:30:00.000', '23:30:00.000', undefined, '00:30:00', 300, 276],
    ['09:59:59.999', '10:00:00.001', '1h', '09:00:00', 3600, 2],
  ] as const)('%s to %s by %s', (from, to, interval, first, seconds, count) => {
    const buckets = bucketsOf(instantsOf(at(from), at(to)), interval);
    expect([buckets.instants.fromMs, buckets.seconds, buckets.count]).toEqual([at(first), seconds, count]);
  });

  test('hold the whole range, at most 500 of them, and end with its last minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e12 }),
        fc.integer({ min: 1, max: 90 * 86_400_000 }),
        (from, length) => {
          const asked = instantsOf(from, from + length);
          const { instants, seconds, count } = bucketsOf(asked, undefined);
          expect(count).toBeLessThanOrEqual(MAX_BUCKETS);
          expect(instants.fromMs % (seconds * 1000)).toBe(0);
          expect(instants.fromMs).toBeLessThanOrEqual(from);
          expect(instants.toMs - (from + length)).toBeGreaterThanOrEqual(0);
          expect(instants.toMs - (from + length)).toBeLessThan(60_000);
          expect(instants.fromMs + count * seconds * 1000).toBeGreaterThanOrEqual(instants.toMs);
          expect(instants.fromMs + (count - 1) * seconds * 1000).toBeLessThan(instants.toMs);
        },
      ),
    );
  });

  test('more than 500 are refused by name', () => {
    const asked = instantsOf(at('00:00:00'), at('23:00:00'));
    expect(() => bucketsOf(asked, '1m')).toThrow(
      expect.objectContaining({
        details: [{ path: 'interval', message: 'must divide the range into at most 500' }],
      }),
    );
    for (const interval of INTERVALS.slice(1)) expect(bucketsOf(asked, interval).count).toBeGreaterThan(0);
  });

  test('the last one lasts until the range’s end, or until now', () => {
    const buckets = bucketsOf(instantsOf(at('09:00:00'), at('09:50:00')), '15m');
    expect(secondsOf(buckets, 0, at('10:00:00'))).toBe(900);
    expect(secondsOf(buckets, 3, at('10:00:00'))).toBe(300);
    expect(secondsOf(buckets, 3, at('09:47:00'))).toBe(120);
    expect(secondsOf(buckets, 3, at('09:45:00'))).toBe(1);
  });
});

describe('quantiles', () => {
  const ranked = { before: 10, inside: 10, total: 40 };
  test.each([
    ['in the middle of a bucket', { lower: 10, upper: 20 }, 0.375, 15],
    ['at its beginning', { lower: 10, upper: 20 }, 0.25, 10],
    ['at its end', { lower: 10, upper: 20 }, 0.5, 20],
    ['from 0 in the first one', { lower: null, upper: 8 }, 0.375, 4],
    ['no further than a first one that ends below 0', { lower: null, upper: -8 }, 0.375, -8],
    ['no further than the last bound', { lower: 100, upper: null }, 0.5, 100],
    ['nowhere without bounds', { lower: null, upper: null }, 0.5, null],
  ])('explicit: %s', (_, ends, quantile, expected) => {
    expect(explicitQuantile(quantile, { ...ends, ...ranked })).toBe(expected);
  });

  test.each([
    ['zero', { scale: 0, side: 1, index: 0 }, 0.5, 0],
    ['the end of (4, 8]', { scale: 0, side: 2, index: 2 }, 0.5, 8],
    ['half of it, as powers go', { scale: 0, side: 2, index: 2 }, 0.375, 4 * Math.SQRT2],
    ['the end of [-8, -4)', { scale: 0, side: 0, index: 2 }, 0.5, -4],
    ['a finer scale: (4, 4 * 2^(1/8)]', { scale: 3, side: 2, index: 16 }, 0.5, 4 * 2 ** (1 / 8)],
    ['a coarser one: (16, 256]', { scale: -2, side: 2, index: 1 }, 0.5, 256],
    ['beyond doubles', { scale: -10, side: 2, index: 1 }, 0.5, null],
  ])('exponential: %s', (_, bucket, quantile, expected) => {
    const value = exponentialQuantile(quantile, { ...bucket, ...ranked });
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 9);
  });

  test('lie in their bucket, and rise with the rank', () => {
    const bucket = fc.record({
      scale: fc.integer({ min: -3, max: 8 }),
      index: fc.integer({ min: -40, max: 40 }),
    });
    fc.assert(
      fc.property(
        bucket,
        fc.constantFrom(0, 2),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (drawn, side, share) => {
          const of = (quantile: number) =>
            exponentialQuantile(quantile, { ...drawn, side, before: 0, inside: 1, total: 1 }) ?? Number.NaN;
          const edges = [drawn.index, drawn.index + 1].map((power) => 2 ** (power * 2 ** -drawn.scale));
          const [low = 0, high = 0] = side === 2 ? edges : edges.map((edge) => -edge).reverse();
          const slack = (high - low) * 1e-9 + Math.abs(high) * 1e-12;
          expect(of(share)).toBeGreaterThanOrEqual(low - slack);
          expect(of(share)).toBeLessThanOrEqual(high + slack);
          expect(of(share)).toBeGreaterThanOrEqual(of(share / 2) - slack);
        },
      ),
    );
  });
});

describe('what suits', () => {
  const [unspecified, delta, cumulative] = [0, 1, 2];
  test.each<[MetricType, number[], boolean, string]>([
    ['gauge', [unspecified], false, 'sum avg min max'],
    ['sum', [cumulative], true, 'sum rate'],
    ['sum', [delta], true, 'sum rate'],
    ['sum', [delta], false, 'sum rate'],
    ['sum', [delta, cumulative], true, 'sum rate'],
    ['sum', [cumulative], false, 'sum avg min max'],
    ['sum', [delta, cumulative], false, ''],
    ['sum', [unspecified], true, 'sum avg min max'],
    ['sum', [unspecified, cumulative], true, ''],
    ['histogram', [cumulative], false, 'sum avg rate p50 p95 p99'],
    ['histogram', [delta], false, 'sum avg min max rate p50 p95 p99'],
    ['exponentialHistogram', [delta, cumulative], false, 'sum avg rate p50 p95 p99'],
    ['histogram', [unspecified], false, ''],
    ['summary', [unspecified], false, 'sum avg rate p50 p95 p99'],
  ])('%s of temporalities %j, monotonic %j: %s', (type, temporalities, monotonic, expected) => {
    expect(suitableFor({ type, unit: '', monotonic, temporalities }).join(' ')).toBe(expected);
  });

  test('rates are per second', () => {
    const of = (type: MetricType, unit: string) => ({ type, unit, monotonic: true, temporalities: [2] });
    expect(unitOf('rate', of('sum', 'By'))).toBe('By/s');
    expect(unitOf('rate', of('sum', ''))).toBe('1/s');
    expect(unitOf('rate', of('histogram', 'ms'))).toBe('1/s');
    expect(unitOf('p95', of('histogram', 'ms'))).toBe('ms');
  });
});
