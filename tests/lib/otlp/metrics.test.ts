import { expect, test } from 'vitest';
import { MAX_EXEMPLARS } from '../../../lib/otlp/otlp-limits.ts';
import { HEX, IDS, readMetric } from './one-item.ts';

const point = { timeUnixNano: '9', attributes: [{ key: 'k', value: { stringValue: 'v' } }] };

test.each([
  ['delta', 1],
  ['cumulative', 2],
])('a %s sum', (_, aggregationTemporality) => {
  const dataPoints = [{ ...point, asInt: '4', startTimeUnixNano: '3' }];
  const { metrics, points } = readMetric({
    unit: 'By',
    sum: { dataPoints, aggregationTemporality, isMonotonic: true },
  });
  expect(metrics).toMatchObject([
    { name: 'm', unit: 'By', type: 'sum', temporality: aggregationTemporality, monotonic: true },
  ]);
  expect(points).toMatchObject([
    { metric: 0, startNano: '3', timeNano: '9', value: 4, count: null, attributes: { k: 'v' } },
  ]);
});

test('a gauge without a value is refused, unless it says that nothing was recorded', () => {
  const { points, partial } = readMetric({ gauge: { dataPoints: [point, { ...point, flags: 1 }] } });
  expect(points).toMatchObject([{ value: null, flags: 1 }]);
  expect(partial).toEqual({
    rejected: 1,
    message: 'Refused 1: 1 for data points without a value.',
    dropped: { point: 1 },
  });
});

test('a histogram', () => {
  const dataPoints = [
    { ...point, count: '3', sum: 1.5, min: 0, bucketCounts: ['1', '2'], explicitBounds: [0.5] },
  ];
  expect(readMetric({ histogram: { dataPoints, aggregationTemporality: 1 } }).points).toMatchObject([
    { count: 3, sum: 1.5, min: 0, max: null, distribution: { bounds: [0.5], counts: [1, 2] } },
  ]);
});

test.each([
  ['too few counts', { bucketCounts: ['1'], explicitBounds: [1] }],
  ['bounds that fall', { bucketCounts: ['1', '1', '1'], explicitBounds: [2, 1] }],
  ['a bound that is no number', { bucketCounts: ['1', '1'], explicitBounds: [Number.NaN] }],
  ['a count above 2^53', { bucketCounts: ['9007199254740992'], explicitBounds: [] }],
  ['a count that rounds to 2^64', { bucketCounts: ['18446744073709550592'], explicitBounds: [] }],
])('a histogram with %s is refused', (_, buckets) => {
  const { metrics, points, partial } = readMetric({
    histogram: { dataPoints: [{ ...point, ...buckets }] },
  });
  expect([metrics, points, partial?.rejected]).toEqual([[], [], 1]);
});

test('an exponential histogram', () => {
  const dataPoints = [
    {
      ...point,
      count: '6',
      scale: -1,
      zeroCount: '1',
      zeroThreshold: 0.25,
      positive: { offset: -2, bucketCounts: ['2', '3'] },
    },
  ];
  expect(readMetric({ exponentialHistogram: { dataPoints } }).points[0]).toMatchObject({
    count: 6,
    distribution: {
      scale: -1,
      zeroCount: 1,
      zeroThreshold: 0.25,
      positive: { offset: -2, counts: [2, 3] },
      negative: { offset: 0, counts: [] },
    },
  });
});

test('a summary', () => {
  const dataPoints = [{ ...point, count: '2', quantileValues: [{ quantile: 0.5, value: 3 }] }];
  expect(readMetric({ summary: { dataPoints } }).points[0]).toMatchObject({
    count: 2,
    sum: 0,
    distribution: { quantiles: [{ quantile: 0.5, value: 3 }] },
  });
});

test('exemplars', () => {
  const exemplars = [{ ...IDS, timeUnixNano: '8', asDouble: 0.25, filteredAttributes: point.attributes }];
  expect(
    readMetric({ gauge: { dataPoints: [{ ...point, asInt: '1', exemplars }] } }).points[0]?.exemplars,
  ).toEqual([{ ...HEX, timeNano: '8', value: 0.25, attributes: { k: 'v' } }]);
});

test('a point keeps as many exemplars as the limit says, and the answer names the others', () => {
  const exemplars = Array.from({ length: MAX_EXEMPLARS + 2 }, (_, n) => ({
    timeUnixNano: `${n}`,
    asDouble: n,
  }));
  const { points, partial } = readMetric({ gauge: { dataPoints: [{ ...point, asInt: '1', exemplars }] } });
  expect(points[0]?.exemplars?.map(({ value }) => value)).toEqual(
    Array.from({ length: MAX_EXEMPLARS }, (_, n) => n),
  );
  expect(partial).toMatchObject({ rejected: 0, message: expect.stringContaining('2') });
});

test('points of a metric without a name are refused', () => {
  expect(readMetric({ name: '', gauge: { dataPoints: [{ ...point, asInt: '1' }] } }).partial?.rejected).toBe(
    1,
  );
});
