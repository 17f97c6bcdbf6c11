/** Queries of metrics: sent to the receiver, read over HTTP. */
import { describe, expect, test } from 'vitest';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import {
  type Answer,
  CUMULATIVE,
  counter,
  gauge,
  histogram,
  known,
  MINUTE_MS,
  minute,
  point,
  send,
  twice,
} from './metric-points.ts';
import { attributesOf, createTestEnvironment, nano } from './test-environment.ts';

const stack = useStack();

describe('metrics', () => {
  test('a counter is what it rose by, over resets and minutes, in groups', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    await environment.grow();
    const read = at - 5 * MINUTE_MS;
    const points = (route: string, values: [number, number, number][]) =>
      values.map(([minutes, value, startMs]) =>
        point(at + minutes * MINUTE_MS, { asInt: String(value) }, { route }, startMs),
      );
    // The second start time is another run of the process, which counts from 0.
    await send(environment, 'shop', [
      counter(
        'sent',
        points('/a', [
          [0, 10, read],
          [1, 25, read],
          [2, 7, at + 1.5 * MINUTE_MS],
          [4, 9, at + 1.5 * MINUTE_MS],
        ]),
      ),
      counter(
        'sent',
        points('/b', [
          [1, 100, read],
          [2, 100, read],
        ]),
      ),
    ]);
    await send(environment, 'web', [counter('sent', points('/a', [[1, 3, read]]))]);
    await twice(stack().sql, environment, async () => {
      const sum = await environment.get<Answer>(
        'metrics?name=sent&aggregation=sum&interval=1m&groupBy=route,service',
      );
      expect(sum.data).toMatchObject({
        type: 'sum',
        temporalities: ['cumulative'],
        unit: 'By',
        intervalSeconds: 60,
      });
      expect(known(sum, at)).toEqual({
        '/b/shop': [
          [1, 100],
          [2, 0],
        ],
        '/a/shop': [
          [0, 10],
          [1, 15],
          [2, 7],
          [4, 2],
        ],
        '/a/web': [[1, 3]],
      });
      expect(sum.data.groups.map(({ attributes }) => attributes)).toEqual([
        { route: '/b', service: 'shop' },
        { route: '/a', service: 'shop' },
        { route: '/a', service: 'web' },
      ]);
      const rate = await environment.get<Answer>(
        'metrics?name=sent&aggregation=rate&interval=1m&service=shop&attr.route=/a',
      );
      expect(rate.data.unit).toBe('By/s');
      expect(known(rate, at)['']?.[1]).toEqual([1, 15 / 60]);
      expect(rate.meta.scope.filters).toEqual({ name: 'sent', service: 'shop', 'attr.route': '/a' });
    });
  });

  test('what began before it could be observed counts from its first point on', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    const early = Date.now() - 60 * 24 * 60 * MINUTE_MS;
    await send(environment, 'shop', [
      counter('old', [
        point(at, { asInt: '1000' }, {}, early),
        point(at + MINUTE_MS, { asInt: '1004' }, {}, early),
      ]),
    ]);
    await twice(stack().sql, environment, async () => {
      const answer = await environment.get<Answer>('metrics?name=old&aggregation=sum&interval=1m');
      expect(known(answer, at)).toEqual({ '': [[1, 4]] });
    });
  });

  test('gauges: mean, extremes, and the sum of what each series was last; nothing is made up in between', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    const of = (host: string, values: [number, number][]) =>
      gauge(
        'temperature',
        values.map(([seconds, value]) => point(at + seconds * 1000, { asDouble: value }, { host })),
      );
    await send(environment, 'shop', [
      of('a', [
        [0, 20],
        [30, 22.5],
      ]),
      of('b', [[10, -5]]),
    ]);
    await send(environment, 'shop', [
      gauge('temperature', [
        point(at + 3 * MINUTE_MS, { asDouble: 1 }, { host: 'a' }),
        { timeUnixNano: nano(at + 5 * MINUTE_MS), flags: 1, attributes: attributesOf({ host: 'a' }) },
        point(at + 6 * MINUTE_MS, { asDouble: 'NaN' }, { host: 'a' }),
      ]),
    ]);
    await twice(stack().sql, environment, async () => {
      const expected: [string, [number, number][]][] = [
        [
          'avg',
          [
            [0, 12.5],
            [3, 1],
          ],
        ],
        [
          'min',
          [
            [0, -5],
            [3, 1],
          ],
        ],
        [
          'max',
          [
            [0, 22.5],
            [3, 1],
          ],
        ],
        [
          'sum',
          [
            [0, 17.5],
            [3, 1],
          ],
        ],
      ];
      for (const [aggregation, values] of expected) {
        const answer = await environment.get<Answer>(
          `metrics?name=temperature&aggregation=${aggregation}&interval=1m`,
        );
        expect([aggregation, known(answer, at)]).toEqual([aggregation, { '': values }]);
      }
      const whole = await environment.get<Answer>('metrics?name=temperature&aggregation=avg&period=24h');
      expect(whole.data.intervalSeconds).toBe(300);
      expect(whole.data.groups[0]?.values.length).toBeLessThanOrEqual(500);
    });
  });

  test('an aggregation that doesn’t suit is refused, and the error says what does', async () => {
    const environment = await createTestEnvironment(stack());
    await environment.grow();
    const at = minute(5);
    await send(environment, 'shop', [
      counter('c', [point(at, { asInt: '1' }, {}, at - 1)]),
      gauge('g', [point(at, { asInt: '1' })]),
      histogram(
        'h',
        [point(at, { count: '0', sum: 0, bucketCounts: ['0', '0'], explicitBounds: [1] }, {}, at - 1)],
        CUMULATIVE,
      ),
    ]);
    const refused: [string, string][] = [
      ['name=c&aggregation=avg', 'must be one of sum, rate for a metric of type sum (cumulative, monotonic)'],
      ['name=g&aggregation=p95', 'must be one of sum, avg, min, max for a metric of type gauge'],
      [
        'name=h&aggregation=max',
        'must be one of sum, avg, rate, p50, p95, p99 for a metric of type histogram (cumulative)',
      ],
    ];
    for (const [query, message] of refused) {
      const response = await environment.ask(`metrics?${query}`);
      const body = (await response.json()) as { details: unknown };
      expect([response.status, body.details]).toEqual([400, [{ path: 'aggregation', message }]]);
    }
    // A point without an observation has no mean and no percentile.
    const none = await environment.get<Answer>('metrics?name=h&aggregation=p50&interval=1m');
    expect(known(none, at)).toEqual({ '': [] });
    const zero = await environment.get<Answer>('metrics?name=h&aggregation=rate&interval=1m');
    expect(known(zero, at)).toEqual({ '': [[0, 0]] });
  });

  test('the same name in two units is two metrics; what isn’t shown is said', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(5);
    const of = (unit: string, hosts: string[], value: number) => ({
      ...{ name: 'used', unit },
      gauge: { dataPoints: hosts.map((host, n) => point(at, { asDouble: value + n }, { host })) },
    });
    await send(environment, 'shop', [
      of(
        'By',
        Array.from({ length: 53 }, (_, n) => `h${n}`),
        0,
      ),
      of('%', ['h0'], 7),
    ]);
    const answer = await environment.get<Answer>(
      'metrics?name=used&aggregation=max&interval=1m&groupBy=host',
    );
    expect(answer.data.groups.length).toBe(50);
    expect(answer.data.groupsLeftOut).toBe(3);
    expect(answer.data.groups[0]?.attributes).toEqual({ host: 'h52' });
    expect(answer.meta.notes).toEqual([
      'Left out: 1 series of type gauge and unit "%". Ask for them by `type` and `unit`.',
    ]);
    const percent = await environment.get<Answer>('metrics?name=used&aggregation=max&interval=1m&unit=%25');
    expect(known(percent, at)).toEqual({ '': [[0, 7]] });
  });

  test('what was never sent is not observed; nobody else sees any', async () => {
    const environment = await createTestEnvironment(stack());
    const nothing = await environment.get<Answer>('metrics?name=c&aggregation=sum');
    expect(nothing.data).toMatchObject({ type: null, groups: [] });
    expect(nothing.meta.coverage.observed).toBe(false);
    await send(environment, 'shop', [gauge('g', [point(minute(5), { asInt: '1' })])]);
    const nobody = await createTenant(stack().sql);
    for (const path of ['metrics?name=g&aggregation=avg', 'metric-catalog'])
      expect(await environment.status(path, nobody)).toBe(404);
    const other = await environment.get<Answer>('metrics?name=other&aggregation=avg');
    expect(other.meta).toMatchObject({
      coverage: { observed: true },
      notes: ['No such metric was observed with these filters.'],
    });
  });
});
