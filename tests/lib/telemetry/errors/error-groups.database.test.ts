/** Groups of errors, compared with counting all errors that were stored. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IngestContext } from '../../../../lib/context.ts';
import type { Sql } from '../../../../lib/db.ts';
import type { LogRow, SpanRow } from '../../../../lib/otlp/rows.ts';
import { sumErrors } from '../../../../lib/telemetry/errors/sum-errors.ts';
import { expireTelemetry } from '../../../../lib/telemetry/maintain-telemetry.ts';
import { storeLogs } from '../../../../lib/telemetry/store-logs.ts';
import { storeTraces } from '../../../../lib/telemetry/store-traces.ts';
import { useDatabase } from '../../../services/database.ts';
import { createSender, logAt, logs, spanAt, traces } from '../ingest-sender.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T15:30:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const hex = (n: number, digits: number) => (n + 1).toString(16).padStart(digits, '0');
const FUNCTIONS = ['pay', 'ship', 'load'];
const stackOf = (name: string) => `Error: x\n    at ${name} (/app/src/shop.js:1:2)`;

const failedSpan = (id: number, name: string, ms: number, traceId = hex(id, 32)): SpanRow =>
  spanAt(ms, {
    ...{ traceId, spanId: hex(id, 16), statusCode: 2 },
    events: [
      {
        name: 'exception',
        timeNano: `${ms}000000`,
        attributes: { 'exception.type': 'Error', 'exception.stacktrace': stackOf(name) },
        droppedAttributes: 0,
      },
    ],
  });
const failedLog = (id: number, name: string, ms: number): LogRow =>
  logAt(ms, {
    severityNumber: 17,
    body: `failed`,
    attributes: { id, 'exception.type': 'Error', 'exception.stacktrace': stackOf(name) },
  });

const ofRelease = <Batch extends { resources: readonly object[] }>(
  batch: Batch,
  release: string | undefined,
): Batch =>
  release === undefined
    ? batch
    : {
        ...batch,
        resources: batch.resources.map((resource) => ({
          ...resource,
          attributes: { 'service.name': 'shop', 'service.version': release },
        })),
      };

const sendSpans = (ctx: IngestContext, spans: SpanRow[], release?: string) =>
  storeTraces(ctx, ofRelease(traces(spans), release));
const sendLogs = (ctx: IngestContext, records: LogRow[], release?: string) =>
  storeLogs(ctx, ofRelease(logs(records), release));
const sum = (sql: Sql, at = NOW) => sumErrors({ sql, now: () => at });

const groupsOf = (sql: Sql, { actor }: IngestContext) => sql`
  select location, type, state, template, first_release, last_release, first_nano, last_nano, examples, id, noted_at, returned_at,
    (select sum(occurrences)::integer from error_hours h where h.environment_key = g.environment_key and h.id = g.id) as occurrences
  from error_groups g where environment_key = ${actor.environmentKey} order by location, type, template`;
const hoursOf = async (sql: Sql, { actor }: IngestContext) =>
  (
    await sql`
      select location, hour, sum(occurrences)::integer as n from error_hours h join error_groups g using (environment_key, id)
      where environment_key = ${actor.environmentKey} group by location, hour order by location, hour`
  ).map(({ location, hour, n }) => [location, (hour as Date).getTime(), n]);

describe('exactly once', () => {
  interface Sent {
    id: number;
    name: number;
    hour: number;
    isLog: boolean;
  }
  const sent: fc.Arbitrary<Sent> = fc.record({
    id: fc.nat(30),
    name: fc.nat(FUNCTIONS.length - 1),
    hour: fc.nat(2),
    isLog: fc.boolean(),
  });
  /** The same id is the same error, so that sending it again is a repeat. */
  const known = ({ id, isLog }: Sent): Sent => ({ id, isLog, name: id % FUNCTIONS.length, hour: id % 3 });
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.array(sent.map(known), { minLength: 1, maxLength: 12 }) },
      { weight: 1, arbitrary: fc.constant('sum' as const) },
    ),
    { minLength: 1, maxLength: 8 },
  );

  test('whatever is sent again, late, together, or summed in between', async () => {
    const { sql } = database();
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const ctx = await createSender(sql, () => NOW);
        const stored = new Set<string>();
        for (const step of all) {
          if (step === 'sum') {
            await Promise.all([sum(sql), sum(sql)]);
            continue;
          }
          const at = ({ hour }: Sent) => NOW - hour * HOUR_MS;
          const unique = [...new Map(step.map((one) => [`${one.isLog} ${one.id}`, one])).values()];
          const spans = unique
            .filter(({ isLog }) => !isLog)
            .map((one) => failedSpan(one.id, FUNCTIONS[one.name] as string, at(one)));
          const records = unique
            .filter(({ isLog }) => isLog)
            .map((one) => failedLog(one.id, FUNCTIONS[one.name] as string, at(one)));
          await Promise.all([
            spans.length > 0 && sendSpans(ctx, spans),
            records.length > 0 && sendLogs(ctx, records),
            records.length > 0 && sendLogs(ctx, records),
          ]);
          for (const one of unique) stored.add(JSON.stringify(one));
        }
        await sum(sql);
        const expected = new Map<string, number>();
        for (const text of stored) {
          const { name, hour } = JSON.parse(text) as Sent;
          const start = Math.floor((NOW - hour * HOUR_MS) / HOUR_MS) * HOUR_MS;
          const key = JSON.stringify([`${FUNCTIONS[name]} · app/src/shop.js`, start]);
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
        const hours = [...expected].map(([key, n]) => [...JSON.parse(key), n]);
        expect(await hoursOf(sql, ctx)).toEqual(
          hours.toSorted((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1)),
        );
        expect(
          await sql`select from error_parts where environment_key = ${ctx.actor.environmentKey}`,
        ).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  test('equal records of a request are as many errors as records', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    const twins = [0, 1, 2].map(() => failedLog(1, 'pay', NOW));
    for (let n = 0; n < 2; n += 1) await sendLogs(ctx, [logAt(NOW), ...twins, failedLog(2, 'pay', NOW)]);
    await sum(sql);
    expect((await groupsOf(sql, ctx)).map(({ occurrences }) => occurrences)).toEqual([4]);
  });

  test('a trace counts once, whatever requests its spans and records came in before they are summed', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    const [a, b] = [hex(900, 32), hex(901, 32)];
    const tracesOf = async () =>
      (
        await sql`
          select sum(occurrences)::integer as occurrences, known_sum(array_agg(traces))::integer as traces from error_hours
          where environment_key = ${ctx.actor.environmentKey}`
      )[0];
    await sendSpans(ctx, [
      failedSpan(1, 'pay', NOW, a),
      failedSpan(2, 'pay', NOW, a),
      failedSpan(3, 'pay', NOW, b),
    ]);
    await sendSpans(ctx, [failedSpan(4, 'pay', NOW, a)]);
    await sendLogs(ctx, [
      { ...failedLog(5, 'pay', NOW), traceId: a, spanId: hex(4, 16) },
      failedLog(6, 'pay', NOW),
    ]);
    await sum(sql);
    expect(await tracesOf()).toEqual({ occurrences: 6, traces: 2 });
    // What was summed apart counts again.
    await sendSpans(ctx, [failedSpan(7, 'pay', NOW, b)]);
    await sum(sql);
    expect(await tracesOf()).toEqual({ occurrences: 7, traces: 3 });
    // Of a request before the upgrade it isn't known, nor of its hour from then on.
    await sendSpans(ctx, [failedSpan(8, 'pay', NOW, hex(902, 32))]);
    await sql`update error_parts set traces = null where environment_key = ${ctx.actor.environmentKey}`;
    await sum(sql);
    await sendSpans(ctx, [failedSpan(9, 'pay', NOW, hex(903, 32))]);
    await sum(sql);
    expect(await tracesOf()).toEqual({ occurrences: 9, traces: null });
  });

  test('two workers that sum at once count each part once', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    for (let id = 0; id < 40; id += 1) await sendSpans(ctx, [failedSpan(id, 'pay', NOW)]);
    await Promise.all(
      [1, 2, 3, 4].map(() => sql`select sum_errors(${new Date(NOW).toISOString()}::timestamptz, 3)`),
    );
    while (
      (await sql`select sum_errors(${new Date(NOW).toISOString()}::timestamptz, 7) as taken`)[0]?.taken > 0
    );
    expect((await groupsOf(sql, ctx)).map(({ occurrences }) => occurrences)).toEqual([40]);
  });
});

describe('a group', () => {
  test('knows its first and last release and time, whatever comes first', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    for (const [id, release, hours] of [
      [1, '1.1', 2],
      [2, '1.2', 1],
      [3, '1.0', 3],
    ] as const) {
      await sendSpans(ctx, [failedSpan(id, 'pay', NOW - hours * HOUR_MS)], release);
      await sum(sql);
    }
    const [group] = await groupsOf(sql, ctx);
    expect(group).toMatchObject({
      ...{ first_release: '1.0', last_release: '1.2', state: 'open', occurrences: 3 },
      first_nano: `${NOW - 3 * HOUR_MS}000000`,
      last_nano: `${NOW - HOUR_MS}000000`,
    });
  });

  test('keeps its newest 20 examples, each of another trace', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    const order = [...Array(30).keys()].map((n) => (n * 7) % 30);
    for (const n of order)
      await sendSpans(ctx, [
        failedSpan(2 * n, 'pay', NOW - n * 1000, hex(n, 32)),
        failedSpan(2 * n + 1, 'pay', NOW - n * 1000, hex(n, 32)),
      ]);
    await sum(sql);
    const [group] = await groupsOf(sql, ctx);
    expect(group?.examples.map(({ trace }: { trace: string }) => trace)).toEqual(
      [...Array(20).keys()].map((n) => hex(n, 32)),
    );
  });

  test('is of one service', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    const spans = [failedSpan(1, 'pay', NOW), { ...failedSpan(2, 'pay', NOW), resource: 1 }];
    await storeTraces(ctx, traces(spans, ['shop', 'mail']));
    await sum(sql);
    const services = await sql`
      select service from error_groups where environment_key = ${ctx.actor.environmentKey} order by service`;
    expect(services).toEqual([{ service: 'mail' }, { service: 'shop' }]);
  });

  test('returns by an error after it was resolved, and by none before', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    await sendSpans(ctx, [failedSpan(1, 'pay', NOW - HOUR_MS)]);
    await sum(sql);
    await sql`
      update error_groups set state = 'resolved', resolved_nano = ${`${NOW - 1000}000000`}::bigint
      where environment_key = ${ctx.actor.environmentKey}`;
    await sendSpans(ctx, [failedSpan(2, 'pay', NOW - 1000)]);
    await sum(sql, NOW + 1);
    expect((await groupsOf(sql, ctx))[0]).toMatchObject({
      state: 'resolved',
      returned_at: null,
      occurrences: 2,
    });
    await sendSpans(ctx, [failedSpan(3, 'pay', NOW - 999)]);
    await sum(sql, NOW + 2);
    expect((await groupsOf(sql, ctx))[0]).toMatchObject({
      state: 'returned',
      returned_at: new Date(NOW + 2),
      noted_at: new Date(NOW),
    });
    await sql`update error_groups set state = 'ignored' where environment_key = ${ctx.actor.environmentKey}`;
    await sendSpans(ctx, [failedSpan(4, 'pay', NOW)]);
    await sum(sql, NOW + 3);
    expect((await groupsOf(sql, ctx))[0]).toMatchObject({
      state: 'ignored',
      returned_at: new Date(NOW + 2),
      occurrences: 4,
    });
  });
});

describe('limits', () => {
  test('an environment has a bounded number of groups; what comes beyond is one', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    const limited = () => sql`select sum_errors(${new Date(NOW).toISOString()}::timestamptz, 1000, 2)`;
    await sendSpans(ctx, [
      failedSpan(1, 'pay', NOW),
      failedSpan(2, 'ship', NOW),
      failedSpan(3, 'ship', NOW),
      failedSpan(4, 'load', NOW),
      failedSpan(5, 'load', NOW),
    ]);
    await limited();
    await sendSpans(ctx, [failedSpan(6, 'pay', NOW), failedSpan(7, 'ship', NOW)]);
    await limited();
    expect(
      (await groupsOf(sql, ctx)).map(({ location, occurrences, examples }) => [
        location,
        occurrences,
        examples.length,
      ]),
    ).toEqual([
      ['', 2, 0],
      ['load · app/src/shop.js', 2, 2],
      ['ship · app/src/shop.js', 3, 3],
    ]);
  });

  test('an hour of a group has a bounded number of releases', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    for (let n = 0; n < 25; n += 1) await sendSpans(ctx, [failedSpan(n, 'pay', NOW)], `1.${n}`);
    await sum(sql);
    await sendSpans(ctx, [failedSpan(100, 'pay', NOW)], '2');
    await sum(sql);
    const releases = await sql`
      select release, occurrences from error_hours where environment_key = ${ctx.actor.environmentKey} order by release`;
    expect(releases.length).toBe(21);
    expect(releases.find(({ release }) => release === '(other)')?.occurrences).toBe(6);
  });

  test('texts that PostgreSQL refuses don’t keep a request from being stored', async () => {
    const { sql } = database();
    const ctx = await createSender(sql, () => NOW);
    const astral = '😀'.repeat(2000);
    const texts = {
      'exception.type': astral,
      'exception.message': astral,
      'exception.stacktrace': `x\n    at a${astral} (/app/${astral}:1:2)`,
    };
    await sendSpans(
      ctx,
      [spanAt(NOW, { statusCode: 2, name: `a${astral}`, statusMessage: `a${astral}` })],
      `1${astral}`,
    );
    await sendLogs(ctx, [logAt(NOW, { attributes: texts })], `1${astral}`);
    await sum(sql);
    expect((await groupsOf(sql, ctx)).length).toBe(2);
  });
});

test('groups and their hours end with the longer retention of traces and logs', async () => {
  const { sql } = database();
  const ctx = await createSender(sql, () => NOW);
  await sql`
    update environments set traces_days = 3, logs_days = 5, metrics_days = 90, expired_on = '-infinity'
    where key = ${ctx.actor.environmentKey}`;
  const at = (days: number): IngestContext => ({ ...ctx, now: () => NOW - days * DAY_MS });
  await sendSpans(at(6), [failedSpan(1, 'pay', NOW - 6 * DAY_MS)]);
  await sendSpans(at(8), [failedSpan(2, 'load', NOW - 8 * DAY_MS)]);
  await sendSpans(ctx, [failedSpan(3, 'pay', NOW)]);
  await sum(sql);
  await expireTelemetry({ sql, now: () => NOW });
  expect((await groupsOf(sql, ctx)).map(({ location, occurrences }) => [location, occurrences])).toEqual([
    ['pay · app/src/shop.js', 1],
  ]);
});
