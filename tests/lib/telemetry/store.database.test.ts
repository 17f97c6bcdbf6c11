import { NeonDbError } from '@neondatabase/serverless';
import { describe, expect, test } from 'vitest';
import type { IngestContext } from '../../../lib/context.ts';
import type { SpanRow } from '../../../lib/otlp/rows.ts';
import { getTrace } from '../../../lib/telemetry/get-trace.ts';
import { despiteNewDay } from '../../../lib/telemetry/store-batch.ts';
import { storeLogs } from '../../../lib/telemetry/store-logs.ts';
import { storeMetrics } from '../../../lib/telemetry/store-metrics.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { useDatabase } from '../../services/database.ts';
import { createSender, logAt, logs, metrics, pointAt, spanAt, traces } from './ingest-sender.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;

async function counted({ sql, actor }: IngestContext): Promise<Record<string, number>> {
  const key = actor.environmentKey;
  const [row] = await sql`
    select (select count(*)::integer from spans where environment_key = ${key}) as spans,
      (select coalesce(sum(spans), 0)::integer from span_parts where environment_key = ${key}) as summed,
      (select count(*)::integer from logs where environment_key = ${key}) as logs,
      (select count(*)::integer from metric_points where environment_key = ${key}) as points,
      (select count(*)::integer from metric_series where environment_key = ${key}) as series,
      (select count(*)::integer from otlp_resources where environment_key = ${key}) as resources,
      (select coalesce(sum(items), 0)::integer from telemetry_receipts where environment_key = ${key}) as received`;
  return row as Record<string, number>;
}

test('a request that is sent again stores nothing twice', async () => {
  const ctx = await createSender(database().sql);
  const now = Date.now();
  const [spans, records, points] = [
    traces([spanAt(now), spanAt(now - DAY_MS)]),
    logs([logAt(now), logAt(now, { body: { deep: [1, null] } }), logAt(0)]),
    metrics([pointAt(now), pointAt(now, { attributes: { shelf: 'a' } }), pointAt(now - 1000)]),
  ];
  for (let sent = 0; sent < 3; sent += 1) {
    expect(await storeTraces(ctx, spans)).toBeUndefined();
    expect(await storeLogs(ctx, records)).toBeUndefined();
    expect(await storeMetrics(ctx, points)).toBeUndefined();
  }
  expect(await counted(ctx)).toEqual({
    spans: 2,
    summed: 2,
    logs: 3,
    points: 3,
    series: 2,
    resources: 1,
    received: 8,
  });
});

test('a day whose partition another request has just made is asked for again, a few times', async () => {
  const unknownDay = Object.assign(new NeonDbError('no partition of relation found for row'), {
    code: '23514',
  });
  let tries = 0;
  const stored = await despiteNewDay(async () => {
    tries += 1;
    if (tries < 3) throw unknownDay;
    return tries;
  });
  expect(stored).toBe(3);
  await expect(despiteNewDay(() => Promise.reject(unknownDay))).rejects.toBe(unknownDay);
  await expect(despiteNewDay(() => Promise.reject(new Error('another')))).rejects.toThrow('another');
});

test('equal log records of one request are each one, as a clock of milliseconds makes them', async () => {
  const ctx = await createSender(database().sql);
  const now = Date.now();
  const twins = logs([logAt(now), logAt(now), logAt(now)]);
  await storeLogs(ctx, twins);
  await storeLogs(ctx, twins);
  expect(await counted(ctx)).toMatchObject({ logs: 3 });
});

test('of a request that bears known spans, or one twice, the others are stored', async () => {
  const ctx = await createSender(database().sql);
  const now = Date.now();
  const [known, fresh, twice] = [spanAt(now), spanAt(now), spanAt(now - DAY_MS)];
  await storeTraces(ctx, traces([known]));
  await storeTraces(ctx, traces([twice, known, fresh, { ...twice, name: 'second' }]));
  expect(await counted(ctx)).toMatchObject({ spans: 3, summed: 3, received: 3 });
  const [row] = await ctx.sql`
    select name from spans where environment_key = ${ctx.actor.environmentKey} and span_id = span_id_of(${twice.spanId})`;
  expect(row).toEqual({ name: twice.name });
});

test('all 32 bits of a span’s flags are read as they were sent', async () => {
  const ctx = await createSender(database().sql);
  const span = spanAt(Date.now(), { flags: 0x80000101 });
  await storeTraces(ctx, traces([span]));
  const { projectId, environmentId } = ctx.actor;
  const [owner] =
    await ctx.sql`select user_id as "userId" from project_members where project_id = ${projectId}`;
  const actor = { kind: 'session', sessionId: crypto.randomUUID(), userId: owner?.userId } as const;
  const { data: trace } = await getTrace(
    { ...ctx, actor },
    { projectId, environmentId, traceId: span.traceId },
  );
  expect(trace.spans).toMatchObject([{ flags: 0x80000101 }]);
});

test('the first span of an id stays', async () => {
  const ctx = await createSender(database().sql);
  const first = spanAt(Date.now(), { name: 'first' });
  await storeTraces(ctx, traces([first]));
  await storeTraces(ctx, traces([{ ...first, name: 'second' }]));
  const rows = await ctx.sql`select name from spans where environment_key = ${ctx.actor.environmentKey}`;
  expect(rows).toEqual([{ name: 'first' }]);
});

test.each([
  ['31 days ago', -31 * DAY_MS - 1],
  ['in two days', 2 * DAY_MS + 1],
])('what happened %s is refused and counted, the rest is stored', async (_, offset) => {
  const ctx = await createSender(database().sql);
  const now = Date.now();
  const refused = {
    rejected: 1,
    message: expect.stringContaining('Refused 1 without a time'),
    dropped: { time: 1 },
  };
  expect(await storeTraces(ctx, traces([spanAt(now), spanAt(now + offset)]))).toEqual(refused);
  expect(await storeLogs(ctx, logs([logAt(now), logAt(now + offset)]))).toEqual(refused);
  expect(await storeMetrics(ctx, metrics([pointAt(now), pointAt(now + offset)]))).toEqual(refused);
  expect(await counted(ctx)).toMatchObject({ spans: 1, logs: 1, points: 1 });
});

describe('a second span with the ids of another', () => {
  const refused = (count: number) => ({
    rejected: count,
    message: `Refused ${count} with the ids of another span that came before and has other content.`,
    dropped: { conflict: count },
  });
  const link = {
    traceId: 'ab'.repeat(16),
    spanId: 'cd'.repeat(8),
    traceState: '',
    flags: 0,
    attributes: {},
    droppedAttributes: 0,
  };
  const whole = (now: number) =>
    spanAt(now, {
      parentSpanId: 'ef'.repeat(8),
      statusCode: 2,
      statusMessage: 'no',
      attributes: { one: 1, two: ['9007199254740993', null] },
      events: [{ name: 'e', timeNano: `${now}000001`, attributes: {}, droppedAttributes: 2 }],
      links: [link],
      flags: 2 ** 32 - 1,
      traceState: 'a=b',
      droppedEvents: 4,
      cutAttributes: 1,
    });

  test.each<[string, Partial<SpanRow>]>([
    ['name', { name: 'GET /other' }],
    ['parent', { parentSpanId: null }],
    ['duration', { durationNano: 6_000_000 }],
    ['kind', { kind: 3 }],
    ['status', { statusCode: 1 }],
    ['message', { statusMessage: '' }],
    ['flags', { flags: 0 }],
    ['attribute', { attributes: { one: 2, two: ['9007199254740993', null] } }],
    ['events', { events: [] }],
    ['links', { links: [] }],
    ['state', { traceState: '' }],
    ['count of lost events', { droppedEvents: 5 }],
    ['resource', { resource: 1 }],
  ])('and another %s is refused, and counted', async (_, changes) => {
    const ctx = await createSender(database().sql);
    const span = whole(Date.now());
    const services = ['shop', 'web'];
    expect(await storeTraces(ctx, traces([span], services))).toBeUndefined();
    const other = { ...span, ...changes };
    expect(await storeTraces(ctx, traces([other, spanAt(Date.now()), span], services))).toEqual(refused(1));
    expect(await counted(ctx)).toMatchObject({ spans: 2, received: 2 });
    expect(await storeTraces(ctx, traces([span], services))).toBeUndefined();
  });

  test('counts separately within one request', async () => {
    const ctx = await createSender(database().sql);
    const span = whole(Date.now());
    const others = [span, { ...span }, { ...span, name: 'other' }, { ...span, kind: 4 }];
    expect(await storeTraces(ctx, traces(others))).toEqual(refused(2));
    expect(await counted(ctx)).toMatchObject({ spans: 1, received: 1 });
  });

  test('the same request of the last release’s code is answered as before', async () => {
    const { sql, actor } = await createSender(database().sql);
    const span = { ...whole(Date.now()), flags: 1, startNano: `${Date.now()}000000` };
    const day = [new Date().toISOString().slice(0, 10)];
    const { resources, scopes } = traces([]);
    const store = async (spans: object[]) => {
      const batch = JSON.stringify({ resources, scopes, spans, parts: [] });
      const [row] = await sql`
        select store_spans(${actor.environmentKey}, ${batch}::jsonb, ${day}::date[], now()) as known`;
      return row?.known;
    };
    expect(await store([span])).toBeNull();
    expect(await store([span, { ...span, name: 'other' }])).toEqual([0, 1]);
  });
});

test('environments don’t see each other’s ids', async () => {
  const [one, other] = [await createSender(database().sql), await createSender(database().sql)];
  const batch = traces([spanAt(Date.now())]);
  await storeTraces(one, batch);
  await storeTraces(other, batch);
  expect([await counted(one), await counted(other)]).toMatchObject([{ spans: 1 }, { spans: 1 }]);
});

describe('on a server', () => {
  test('8 senders of the same requests at once, on days that have no partition yet', async () => {
    const now = Date.now();
    const ctx = await createSender(database().sql);
    const days = [3, 5, 7, 11, 13].map((days) => now - days * DAY_MS);
    const batches = days.flatMap((at) => [
      () => storeTraces(ctx, spanBatches.get(at) ?? traces([])),
      () => storeLogs(ctx, logs([logAt(at), logAt(at)])),
      () => storeMetrics(ctx, metrics([pointAt(at), pointAt(at + 1)])),
    ]);
    const spanBatches = new Map(days.map((at) => [at, traces(Array.from({ length: 40 }, () => spanAt(at)))]));
    await Promise.all(
      Array.from({ length: 8 }, async (_, sender) => {
        const order = sender % 2 === 0 ? batches : batches.toReversed();
        for (const send of order) expect(await send()).toBeUndefined();
      }),
    );
    expect(await counted(ctx)).toMatchObject({
      spans: 200,
      summed: 200,
      logs: 10,
      points: 10,
      resources: 1,
      received: 220,
    });
  }, 180_000);
});
