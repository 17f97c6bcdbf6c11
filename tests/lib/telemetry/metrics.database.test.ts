/**
 * For any order, batches and times of the cron, the answers about a metric equal a slow and obvious computation from all of its points.
 */
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Sql } from '../../../lib/db.ts';
import { AGGREGATIONS, suitableFor } from '../../../lib/telemetry/metrics/aggregations.ts';
import { INTERVALS } from '../../../lib/telemetry/metrics/metric-interval.ts';
import { readMetric } from '../../../lib/telemetry/metrics/read-metric.ts';
import { sumMetrics } from '../../../lib/telemetry/metrics/sum-metrics.ts';
import { storeMetrics } from '../../../lib/telemetry/store-metrics.ts';
import { drawnMetric, expand, type SentPoint, SHAPES, SPAN_MS } from '../../oracle/metric-streams.ts';
import { askPoints } from '../../oracle/metrics.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

const NOW = Date.UTC(2026, 10, 21, 10, 17);
const CREATED = NOW - 40 * 3_600_000;
const WIDTHS = [60, 300, 900, 3600, 21_600, 86_400];

async function makeEnvironment(sql: Sql) {
  const { projectId, userId } = await createTenant(sql);
  const { actor } = await addIngestKey(sql, projectId);
  const created = new Date(CREATED).toISOString();
  await sql`update environments set created_at = ${created} where id = ${actor.environmentId}`;
  return { ...actor, userId };
}

type Made = Awaited<ReturnType<typeof makeEnvironment>>;

const send = (sql: Sql, actor: Made, shape: keyof typeof SHAPES, groups: string[], points: SentPoint[]) => {
  const { kind: _, ...metric } = SHAPES[shape];
  return storeMetrics(
    { sql, now: () => NOW, actor },
    {
      resources: [{ attributes: { 'service.name': 'shop' }, schemaUrl: '', droppedAttributes: 0 }],
      scopes: [{ name: '', version: '', attributes: {}, schemaUrl: '', droppedAttributes: 0 }],
      metrics: [{ name: 'm', description: '', unit: '1', resource: 0, scope: 0, ...metric }],
      points: points.map(({ series, row }) => ({
        ...row,
        metric: 0,
        attributes: { group: groups[series] ?? '', series },
      })),
      bytes: 0,
      partial: undefined,
    },
  );
};

const drawn = fc.record({
  metric: drawnMetric,
  order: fc.infiniteStream(fc.nat()),
  pieces: fc.array(fc.record({ size: fc.integer({ min: 1, max: 12 }), cronAt: fc.option(fc.nat(35 * 60)) }), {
    minLength: 1,
    maxLength: 8,
  }),
  questions: fc.array(
    fc.record({
      aggregation: fc.nat(),
      interval: fc.constantFrom(...INTERVALS),
      from: fc.constantFrom(10, 70, 200, 480, SPAN_MS / 60_000),
      to: fc.constantFrom(0, 1, 30, 61),
    }),
    { minLength: 4, maxLength: 4 },
  ),
});

/** The code of the last release reads `metric_minutes`, which has what `metric_minutes_of` answers. */
async function expectSameMinutes(sql: Sql, environment: number): Promise<void> {
  const [row] = await sql`
    with old as materialized (select m::text as minute from metric_minutes m where environment_key = ${environment}),
      present as materialized (
        select m::text as minute
        from (
          select array_agg(id) as series, array_agg('2026-11-18'::timestamptz) as starts, array_agg('2026-11-22'::timestamptz) as ends
          from metric_series where environment_key = ${environment}
        ) span
        cross join lateral metric_minutes_of(${environment}, series, starts, ends, '2026-11-18', '2026-11-22') as m
      )
    select (select count(*)::int from (select * from old except all select * from present) missing) as missing,
      (select count(*)::int from (select * from present except all select * from old) added) as added`;
  expect(row).toEqual({ missing: 0, added: 0 });
}

test('a metric is what its points say', { timeout: 600_000 }, async () => {
  const { sql } = database();
  await fc.assert(
    fc.asyncProperty(drawn, async ({ metric, order, pieces, questions }) => {
      const made = await makeEnvironment(sql);
      const { sent, accepted } = expand(metric, NOW);
      const shape = SHAPES[metric.shape];
      const groups = metric.series.map(({ group }) => group);
      const shuffled = sent
        .map((point) => ({ point, at: order.next().value }))
        .sort((a, b) => a.at - b.at)
        .map(({ point }) => point);
      for (let from = 0, piece = 0; from < shuffled.length; piece += 1) {
        const { size, cronAt } = pieces[piece % pieces.length] ?? { size: 1, cronAt: null };
        const batch = shuffled.slice(from, from + size);
        await send(sql, made, metric.shape, groups, batch);
        if (piece % 3 === 0) await send(sql, made, metric.shape, groups, batch);
        if (cronAt !== null) await sumMetrics({ sql, now: () => NOW + 2 * 3_600_000 - cronAt * 60_000 });
        from += size;
      }
      await expectSameMinutes(sql, made.environmentKey);
      const suitable = suitableFor({ ...shape, unit: '1', temporalities: [shape.temporality] });
      for (const { aggregation: index, interval, from, to } of questions) {
        const aggregation = suitable[index % suitable.length] ?? 'sum';
        const widthMs = (WIDTHS[INTERVALS.indexOf(interval)] ?? 0) * 1000;
        const fromMs = Math.floor((NOW - from * 60_000) / widthMs) * widthMs;
        const toMs = NOW - to * 60_000;
        if (toMs <= NOW - from * 60_000 || (toMs - fromMs) / widthMs > 500) continue;
        const { data } = await readMetric(
          { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId: made.userId } },
          {
            ...{ projectId: made.projectId, environmentId: made.environmentId },
            from: new Date(NOW - from * 60_000).toISOString(),
            to: new Date(toMs).toISOString(),
            name: 'm',
            aggregation,
            groupBy: ['group'],
            attributes: {},
            resource: {},
            interval,
          },
        ).catch((error) => {
          // It may be that no point of a summary has this quantile.
          if (shape.kind === 'summary' && error.details?.[0]?.path === 'aggregation')
            return { data: undefined };
          throw error;
        });
        const question = {
          kind: shape.kind,
          aggregation,
          fromMs,
          toMs,
          widthMs,
          nowMs: NOW,
          sinceMs: CREATED,
        };
        const expected = askPoints(accepted, question);
        if (data === undefined) {
          for (const values of expected.values()) expect(values.every((value) => value === null)).toBe(true);
          continue;
        }
        const isExact = !aggregation.startsWith('p');
        expect(new Set(data.groups.map(({ attributes }) => attributes.group))).toEqual(
          new Set(expected.keys()),
        );
        for (const { attributes, values } of data.groups) {
          const wanted = expected.get(attributes.group ?? '') ?? [];
          const got = values.map(({ value }) => value);
          if (isExact) expect([aggregation, ...got]).toEqual([aggregation, ...wanted]);
          else expect(got.map(rounded)).toEqual(wanted.map(rounded));
        }
      }
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
});

/** Rounds to 9 digits, because powers and logarithms differ in the last digits. */
const rounded = (value: number | null): string | null => (value === null ? null : value.toPrecision(9));

test('every aggregation is asked of some shape', () => {
  const asked = Object.values(SHAPES).flatMap((shape) =>
    suitableFor({ ...shape, unit: '', temporalities: [shape.temporality] }),
  );
  expect(new Set(asked)).toEqual(new Set(AGGREGATIONS));
});

describe('on a server', () => {
  test('while one sums, another does nothing: its sums might be of before', async () => {
    const { sql, server } = database();
    const made = await makeEnvironment(sql);
    const send1 = (at: number) =>
      send(
        sql,
        made,
        'deltas',
        ['a'],
        [
          {
            series: 0,
            row: {
              ...{ startNano: '0', timeNano: `${NOW - 20 * 60_000 + at}000000`, flags: 0, value: 1 },
              ...{ count: null, sum: null, min: null, max: null, distribution: null, exemplars: [] },
            },
          },
        ],
      );
    await send1(0);
    const first = new pg.Client(server);
    await first.connect();
    const before = new Date(NOW).toISOString();
    const sum = 'select sum_metric_minutes($1, $2, 100) as taken';
    try {
      await first.query('begin');
      expect((await first.query(sum, [made.environmentKey, before])).rows).toEqual([{ taken: 1 }]);
      await send1(1);
      const [second] = await sql`select sum_metric_minutes(${made.environmentKey}, ${before}, 100) as taken`;
      expect(second).toEqual({ taken: 0 });
      await first.query('commit');
    } finally {
      await first.end();
    }
    await sumMetrics({ sql, now: () => NOW });
    const stored =
      await sql`select points, value from metric_minutes where environment_key = ${made.environmentKey}`;
    expect(stored).toEqual([{ points: 2, value: 2 }]);
  });

  test('crons at once, while points come, lose none of them', async () => {
    const { sql } = database();
    const made = await makeEnvironment(sql);
    const point = (n: number): SentPoint => ({
      series: n % 3,
      row: {
        ...{ startNano: '0', timeNano: `${NOW - 20 * 60_000 + n * 250}000000`, flags: 0, value: 1 },
        ...{ count: null, sum: null, min: null, max: null, distribution: null, exemplars: [] },
      },
    });
    // All points are of three minutes, in an order that changes the minute each time.
    const points = Array.from({ length: 720 }, (_, n) => point((n * 7) % 720));
    const sending = async (part: number) => {
      for (let from = part; from < 72; from += 3)
        await send(sql, made, 'deltas', ['a', 'a', 'a'], points.slice(from * 10, from * 10 + 10));
    };
    const cron = async () => {
      for (let n = 0; n < 25; n += 1) await sumMetrics({ sql, now: () => NOW });
    };
    await Promise.all([sending(0), sending(1), sending(2), cron(), cron(), cron()]);
    await sumMetrics({ sql, now: () => NOW });
    const [stored] = await sql`
      select sum(points)::integer as points, sum(value)::integer as value,
        (select count(*)::integer from metric_touched where environment_key = ${made.environmentKey}) as touched
      from metric_minutes where environment_key = ${made.environmentKey}`;
    expect(stored).toEqual({ points: 720, value: 720, touched: 0 });
  });
});

describe('minutes of one point', () => {
  const MINUTE_MS = 60_000;
  const count = (minute: number, second: number, value: number): SentPoint => ({
    series: 0,
    row: {
      ...{ startNano: '0', timeNano: `${NOW - minute * MINUTE_MS + second * 1000}000000`, flags: 0, value },
      ...{ count: null, sum: null, min: null, max: null, distribution: null, exemplars: [] },
    },
  });

  async function ask(sql: Sql, made: Made, interval: (typeof INTERVALS)[number]) {
    const { data } = await readMetric(
      { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId: made.userId } },
      {
        ...{ projectId: made.projectId, environmentId: made.environmentId, name: 'm', aggregation: 'sum' },
        ...{ groupBy: [], attributes: {}, resource: {}, interval },
        from: new Date(NOW - 300 * MINUTE_MS).toISOString(),
        to: new Date(NOW).toISOString(),
      },
    );
    return (data.groups[0]?.values ?? []).flatMap(({ value }) => value ?? []);
  }

  const sumsOf = (sql: Sql, made: Made) =>
    sql`select points, value from metric_minute_sums where environment_key = ${made.environmentKey} order by minute`;

  test('have no sums, and are in answers before and after a late point makes them minutes of two', async () => {
    const { sql } = database();
    const made = await makeEnvironment(sql);
    const store = (points: SentPoint[]) => send(sql, made, 'deltas', ['a'], points);
    const sum = () => sumMetrics({ sql, now: () => NOW + 2 * 3_600_000 });
    await store([count(200, 1, 1), count(199, 1, 2), count(199, 2, 3), count(198, 1, 5), count(20, 1, 7)]);
    expect(await ask(sql, made, '1m')).toEqual([1, 5, 5, 7]);
    await sum();
    expect(await sumsOf(sql, made)).toEqual([{ points: 2, value: 5 }]);
    for (const interval of ['1m', '1h'] as const) {
      const values = await ask(sql, made, interval);
      expect(values).toEqual(interval === '1m' ? [1, 5, 5, 7] : [11, 7]);
    }
    await store([count(200, 2, 11), count(150, 0, 13)]);
    // The same again counts once.
    await store([count(20, 1, 7)]);
    expect(await ask(sql, made, '1m')).toEqual([12, 5, 5, 13, 7]);
    await sum();
    expect(await sumsOf(sql, made)).toEqual([
      { points: 2, value: 12 },
      { points: 2, value: 5 },
    ]);
    expect(await ask(sql, made, '1m')).toEqual([12, 5, 5, 13, 7]);
    expect((await ask(sql, made, '1h')).reduce((total, value) => total + value)).toBe(42);
  });

  test('have sums in a database that was upgraded, and count once', async () => {
    const { sql } = database();
    const made = await makeEnvironment(sql);
    await send(sql, made, 'deltas', ['a'], [count(200, 1, 1), count(199, 1, 2)]);
    await sumMetrics({ sql, now: () => NOW + 2 * 3_600_000 });
    // As the last release wrote them.
    await sql`
      insert into metric_minute_sums
      select * from metric_minutes where environment_key = ${made.environmentKey} and first_nano < ${`${NOW - 199 * MINUTE_MS}000000`}::bigint`;
    expect(await sumsOf(sql, made)).toEqual([{ points: 1, value: 1 }]);
    expect(await ask(sql, made, '1m')).toEqual([1, 2]);
    await send(sql, made, 'deltas', ['a'], [count(200, 2, 3), count(199, 2, 5)]);
    await sumMetrics({ sql, now: () => NOW + 2 * 3_600_000 });
    expect(await sumsOf(sql, made)).toEqual([
      { points: 2, value: 4 },
      { points: 2, value: 7 },
    ]);
    expect(await ask(sql, made, '1m')).toEqual([4, 7]);
  });
});

test('a bucket of any scale is a number: a plan may compute it before it looks at the scale', async () => {
  const rows = await database().sql`
    select exponential_bucket(scale, 1, 0) is not null as known from unnest(array[2147483647, -2147483648]) scale`;
  expect(rows).toEqual([{ known: true }, { known: true }]);
});

test('a day of many series is read as hours, unless an interval is named or filters leave few', async () => {
  const { sql } = database();
  const made = await makeEnvironment(sql);
  const points = Array.from({ length: 80 }, (_, series) => ({
    series,
    row: {
      ...{ startNano: '0', timeNano: `${NOW - 90 * 60_000}000000`, flags: 0, value: 1 },
      ...{ count: null, sum: null, min: null, max: null, distribution: null, exemplars: [] },
    },
  }));
  const groups = points.map(({ series }) => (series < 4 ? 'few' : 'many'));
  await send(sql, made, 'gauge', groups, points);
  const secondsOf = async (asked: Partial<Parameters<typeof readMetric>[1]>): Promise<number> => {
    const { data } = await readMetric(
      { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId: made.userId } },
      {
        ...{ projectId: made.projectId, environmentId: made.environmentId, name: 'm', aggregation: 'sum' },
        ...{ groupBy: [], attributes: {}, resource: {}, period: '24h', ...asked },
      },
    );
    return data.intervalSeconds;
  };
  expect(await secondsOf({})).toBe(3600);
  expect(await secondsOf({ interval: '5m' })).toBe(300);
  expect(await secondsOf({ attributes: { group: 'few' } })).toBe(300);
  const hours = (count: number) => ({
    ...{ period: undefined, to: new Date(NOW).toISOString() },
    from: new Date(NOW - count * 3_600_000).toISOString(),
  });
  expect(await secondsOf(hours(5))).toBe(60);
  expect(await secondsOf(hours(7))).toBe(60);
});
