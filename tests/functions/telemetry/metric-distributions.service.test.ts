/** Percentiles of metrics, and extreme numbers: sent to the receiver, read over HTTP. */
import { describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { type Answer, DELTA, gauge, histogram, known, minute, point, send, twice } from './metric-points.ts';
import { createTestEnvironment } from './test-environment.ts';

const stack = useStack();

describe('metrics of distributions', () => {
  test('percentiles of histograms: explicit ones by the bounds that all have, exponential ones by the coarsest scale', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    const explicit = (bounds: number[], counts: number[], host: string) =>
      point(
        at,
        {
          count: String(counts.reduce((a, b) => a + b, 0)),
          sum: 100,
          min: 1,
          max: 30,
          bucketCounts: counts.map(String),
          explicitBounds: bounds,
        },
        { host },
      );
    await send(environment, 'shop', [
      histogram('took', [explicit([10, 20, 40], [10, 10, 0, 0], 'a'), explicit([10, 40], [0, 20, 0], 'b')]),
      {
        name: 'spread',
        unit: 'ms',
        exponentialHistogram: {
          aggregationTemporality: DELTA,
          dataPoints: [
            point(
              at,
              { count: '4', sum: 8, scale: 0, zeroCount: '0', positive: { offset: 0, bucketCounts: ['4'] } },
              { host: 'a' },
            ),
            // (2^(5/2), 2^3] at scale 1 is in (4, 8] at scale 0.
            point(
              at,
              { count: '4', sum: 28, scale: 1, zeroCount: '0', positive: { offset: 5, bucketCounts: ['4'] } },
              { host: 'b' },
            ),
          ],
        },
      },
    ]);
    await twice(stack().sql, environment, async () => {
      const alone = await environment.get<Answer>(
        'metrics?name=took&aggregation=p50&interval=1m&groupBy=host',
      );
      // Of 20 observations the 10th is the last one of the first bucket. On the other host it is in the middle of (10, 40].
      expect(known(alone, at)).toEqual({ a: [[0, 10]], b: [[0, 25]] });
      expect(alone.meta.notes).toBeUndefined();
      expect(alone.meta.approximate).toMatch(/interpolated/);
      const both = await environment.get<Answer>('metrics?name=took&aggregation=p50&interval=1m');
      // With the bounds 10 and 40: 10 observations are below, 30 between. The 20th is a third into these.
      expect(known(both, at)).toEqual({ '': [[0, 20]] });
      expect(both.meta.notes).toEqual([
        'Histograms of different bounds were added up by the bounds that they share.',
      ]);
      expect(
        known(await environment.get<Answer>('metrics?name=took&aggregation=max&interval=1m'), at),
      ).toEqual({
        '': [[0, 30]],
      });
      expect(
        known(await environment.get<Answer>('metrics?name=took&aggregation=avg&interval=1m'), at),
      ).toEqual({
        '': [[0, 5]],
      });
      const spread = await environment.get<Answer>('metrics?name=spread&aggregation=p50&interval=1m');
      expect(known(spread, at)['']?.[0]?.[1]).toBeCloseTo(2, 9);
      const high = await environment.get<Answer>('metrics?name=spread&aggregation=p99&interval=1m');
      expect(known(high, at)['']?.[0]?.[1]).toBeCloseTo(4 * 2 ** ((0.99 * 8 - 4) / 4), 9);
    });
  });

  test('no percentile is beyond the least and the greatest that all points say', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    const held = (host: string, ends: object = {}) =>
      point(
        at,
        { count: '4', sum: 9000, ...ends, bucketCounts: ['0', '4', '0'], explicitBounds: [1000, 5000] },
        { host },
      );
    const ends = { min: 2100, max: 2593.5 };
    await send(environment, 'shop', [
      histogram('took', [held('a', ends), held('b', ends)]),
      histogram('partly', [held('a', ends), held('b')]),
    ]);
    await twice(stack().sql, environment, async () => {
      const ask = async (name: string, aggregation: string) =>
        known(
          await environment.get<Answer>(`metrics?name=${name}&aggregation=${aggregation}&interval=1m`),
          at,
        );
      expect(await ask('took', 'p95')).toEqual({ '': [[0, 2593.5]] });
      expect(await ask('took', 'p50')).toEqual({ '': [[0, 2593.5]] });
      expect(await ask('partly', 'p95')).toEqual({ '': [[0, 4800]] });
    });
  });

  test('summaries have the quantiles that their senders give', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    const quantiles = (p50: number) => ({
      ...{ count: '10', sum: 50 },
      quantileValues: [
        { quantile: 0.5, value: p50 },
        { quantile: 0.99, value: 9 },
      ],
    });
    await send(environment, 'shop', [
      {
        name: 'waited',
        unit: 's',
        summary: {
          dataPoints: [point(at, quantiles(4), { host: 'a' }), point(at, quantiles(6), { host: 'b' })],
        },
      },
    ]);
    await twice(stack().sql, environment, async () => {
      const answer = await environment.get<Answer>('metrics?name=waited&aggregation=p50&interval=1m');
      expect(known(answer, at)).toEqual({ '': [[0, 6]] });
      expect(answer.meta.approximate).toMatch(/highest/);
      const response = await environment.ask('metrics?name=waited&aggregation=p95');
      expect(response.status).toBe(400);
      expect(((await response.json()) as { details: unknown }).details).toEqual([
        { path: 'aggregation', message: 'must be one of sum, avg, rate, p50, p99 for this summary' },
      ]);
    });
  });

  test('values at the ends of what numbers hold stop neither the sums nor an answer', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    const most = '9007199254740991';
    const buckets = (scale: number, offset: number) =>
      point(at + (offset % 1000), {
        ...{ count: most, sum: 1.7e308, scale, zeroCount: most, zeroThreshold: 1.7e308 },
        positive: { offset, bucketCounts: [most, most] },
        negative: { offset: -offset, bucketCounts: [most] },
      });
    const many = Array.from({ length: 1100 }, (_, n) =>
      point(at + n, { count: most, sum: 1e300, bucketCounts: [most, '0'], explicitBounds: [1.7e308] }),
    );
    await send(environment, 'shop', [
      gauge('vast', [
        point(at, { asDouble: 1.7e308 }),
        point(at + 1, { asDouble: 1.7e308 }),
        point(at + 2, { asDouble: 3 }),
      ]),
      histogram('crowd', many),
      {
        name: 'odd',
        exponentialHistogram: {
          aggregationTemporality: DELTA,
          dataPoints: [
            buckets(2_147_483_647, 1),
            buckets(-2_147_483_648, 2),
            buckets(0, 2_147_483_647),
            buckets(20, 900),
          ],
        },
      },
    ]);
    await twice(stack().sql, environment, async () => {
      const value = async (query: string) =>
        known(await environment.get<Answer>(`metrics?interval=1m&${query}`), at);
      expect(await value('name=vast&aggregation=avg')).toEqual({ '': [[0, 3]] });
      expect((await value('name=crowd&aggregation=p99'))['']?.[0]?.[1]).toBeCloseTo(0.99 * 1.7e308, -300);
      expect((await value('name=crowd&aggregation=rate'))['']?.[0]?.[1]).toBeGreaterThan(1e17);
      for (const aggregation of ['p50', 'p99', 'sum', 'avg', 'max'])
        expect(Object.keys(await value(`name=odd&aggregation=${aggregation}`))).toEqual(['']);
    });
  });
});
