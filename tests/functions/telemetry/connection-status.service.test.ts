import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { newOutcome, newSender, type Sender, spansOf } from '../receiver/backend-sender.ts';
import { asMember } from './member.ts';

const stack = useStack();
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
const CRON = '* * * * *';

const statusOf = async (sender: Sender) => {
  const [status, { data, meta }] = await asMember(stack(), sender, sender).get('connection-status');
  expect(status).toBe(200);
  const [traces, logs, metrics, outcomes] = data;
  return { data, meta, traces, logs, metrics, outcomes };
};

/** Waits for the last error of a signal, which is written after the answer. */
const errorOf = async (sender: Sender, signal: 'traces' | 'logs' | 'metrics' | 'outcomes') => {
  await expect.poll(async () => (await statusOf(sender))[signal].lastError).not.toBeNull();
  return (await statusOf(sender))[signal].lastError;
};

test('what never came has no time, no rate and no error', async () => {
  const { data, meta } = await statusOf(await newSender(stack()));
  expect(data).toEqual(
    ['traces', 'logs', 'metrics', 'outcomes'].map((signal) => ({
      signal,
      lastReceivedAt: null,
      itemsPerSecond: null,
      lastError: null,
      services: [],
    })),
  );
  expect(meta).toMatchObject({ coverage: { observed: false }, freshness: { lastReceivedAt: null } });
});

test('rates of the last 5 minutes and last times, by signal and service; repeats aren’t counted', async () => {
  const sender = await newSender(stack());
  const batch = spansOf('shop', [{}, {}, {}]);
  await sender.send('/v1/traces', batch);
  await sender.send('/v1/traces', batch);
  await sender.send('/v1/traces', spansOf('billing', [{}, {}, {}, {}, {}, {}]));
  const outcome = newOutcome();
  await sender.outcomes({ outcomes: [outcome, outcome, newOutcome()] });
  const { traces, logs, outcomes, meta } = await statusOf(sender);
  expect(traces).toEqual({
    signal: 'traces',
    lastReceivedAt: instant,
    itemsPerSecond: 0.03,
    lastError: null,
    services: [
      { name: 'billing', lastReceivedAt: instant, itemsPerSecond: 0.02 },
      { name: 'shop', lastReceivedAt: instant, itemsPerSecond: 0.01 },
    ],
  });
  expect(outcomes).toMatchObject({
    itemsPerSecond: 0.007,
    services: [{ name: 'shop', itemsPerSecond: 0.007 }],
  });
  expect(logs.lastReceivedAt).toBeNull();
  expect(meta).toMatchObject({ coverage: { observed: true }, freshness: { lastReceivedAt: instant } });
  expect(Date.parse(meta.range.to) - Date.parse(meta.range.from)).toBe(300_000);
});

test('receipts are summed up by the cron, and of the answer only the rate changes', async () => {
  const sender = await newSender(stack());
  await sender.send('/v1/traces', spansOf('shop', [{}, {}, {}]));
  const age = (interval: string) => stack().sql`
    update telemetry_receipts set received_at = received_at - ${interval}::interval where environment_key = ${sender.environmentKey}`;
  const receipts = async () =>
    (await stack().sql`select from telemetry_receipts where environment_key = ${sender.environmentKey}`)
      .length;

  await age('6 minutes');
  const { traces: silent } = await statusOf(sender);
  expect(silent).toMatchObject({ lastReceivedAt: instant, itemsPerSecond: 0 });
  await stack().scheduled('receiver', CRON);
  expect(await receipts()).toBe(1);

  await age('5 minutes');
  const { traces: before } = await statusOf(sender);
  await stack().scheduled('receiver', CRON);
  expect(await receipts()).toBe(0);
  expect((await statusOf(sender)).traces).toEqual(before);

  // A receipt that is older but summed later doesn't change the time; a newer one does.
  await sender.send('/v1/traces', spansOf('shop', [{}]));
  await age('1 day');
  await stack().scheduled('receiver', CRON);
  expect((await statusOf(sender)).traces).toEqual(before);
  await sender.send('/v1/traces', spansOf('shop', [{}]));
  const { traces: after } = await statusOf(sender);
  expect(Date.parse(after.lastReceivedAt)).toBeGreaterThan(Date.parse(before.lastReceivedAt));
});

describe('the last error', () => {
  test.each([
    ['a body that can’t be decoded', 400, '/v1/traces', '{"resourceSpans": 1}', {}],
    ['a body that is too large', 413, '/v1/logs', 'x'.repeat(4 * 1024 * 1024 + 1), {}],
    ['another type', 415, '/v1/metrics', '{}', { 'Content-Type': 'text/plain' }],
    ['another compression', 415, '/v1/traces', '{}', { 'Content-Encoding': 'br' }],
  ])('%s', async (_, status, path, body, headers) => {
    const sender = await newSender(stack());
    const response = await sender.send(path, body, headers);
    expect(response.status).toBe(status);
    const answer = await response.json();
    const signal = path.slice(4) as 'traces' | 'logs' | 'metrics';
    expect(await errorOf(sender, signal)).toEqual({ at: instant, status, message: answer.message });
  });

  test('is the last, also if another one came just before', async () => {
    const sender = await newSender(stack());
    for (const path of ['/v1/traces?a=1', '/v1/traces?b=1', '/v1/traces'])
      await (await sender.send(path, path.endsWith('s') ? '{"resourceSpans": 1}' : '{}')).arrayBuffer();
    await expect
      .poll(async () => (await statusOf(sender)).traces.lastError?.message, { timeout: 10_000 })
      .toContain('resourceSpans must be a list');
    const { meta } = await statusOf(sender);
    expect(meta.coverage.dropped).toEqual({ request: 3 });
  });

  test('what inflates to too much', async () => {
    const sender = await newSender(stack());
    const response = await stack().fetch('/v1/traces', {
      method: 'POST',
      body: gzipSync(Buffer.alloc(17 * 1024 * 1024, ' ')),
      headers: {
        Authorization: `Bearer ${sender.key}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
    });
    expect(response.status).toBe(413);
    expect(await errorOf(sender, 'traces')).toMatchObject({ status: 413 });
  });

  test('too many requests', async () => {
    const sender = await newSender(stack());
    let last = 0;
    // Up to twice the quota, because the first requests leave the window when this takes long.
    for (let n = 0; n < 1202 && last !== 429; n++) {
      const response = await sender.send('/v1/traces', {});
      await response.arrayBuffer();
      last = response.status;
    }
    expect(last).toBe(429);
    expect(await errorOf(sender, 'traces')).toMatchObject({ status: 429 });
  });

  test('a partial success, with what was rejected', async () => {
    const sender = await newSender(stack());
    const response = await sender.send('/v1/traces', spansOf('shop', [{}, { at: 1000 }]));
    expect(response.status).toBe(200);
    const { partialSuccess } = await response.json();
    expect(await errorOf(sender, 'traces')).toEqual({
      at: instant,
      status: 200,
      message: partialSuccess.errorMessage,
    });
  });

  test('of outcomes: a conflict, a key without outcomes, and what a batch had wrong', async () => {
    const conflicting = await newSender(stack());
    const outcome = newOutcome();
    await conflicting.outcomes(outcome);
    await conflicting.outcomes({ ...outcome, type: 'else' });
    expect(await errorOf(conflicting, 'outcomes')).toMatchObject({ status: 409 });

    const without = await newSender(stack(), { outcomes: false });
    await without.outcomes(outcome);
    expect(await errorOf(without, 'outcomes')).toMatchObject({ status: 403 });

    const mixed = await newSender(stack());
    await mixed.outcomes({ outcomes: [outcome, { ...outcome, type: 'else' }, {}] });
    expect(await errorOf(mixed, 'outcomes')).toMatchObject({
      status: 200,
      message: 'Of 3 outcomes 1 were invalid, and 1 conflicted with what was recorded.',
    });
  });

  test('of somebody without a key is nobody’s', async () => {
    const sender = await newSender(stack());
    await stack().fetch('/v1/traces', {
      method: 'POST',
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    });
    expect((await statusOf(sender)).traces.lastError).toBeNull();
  });
});

test('what was dropped is counted by reason, of the signal and of all of them', async () => {
  const sender = await newSender(stack());
  const old = `${Date.now() - 40 * 86_400_000}000000`;
  const span = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), name: 'n' };
  const now = `${Date.now()}000000`;
  const batch = (spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  await sender.send(
    '/v1/traces',
    batch([
      { ...span, traceId: 'x', startTimeUnixNano: now },
      { ...span, startTimeUnixNano: old },
      { ...span, startTimeUnixNano: old, spanId: 'ef'.repeat(8) },
      { ...span, startTimeUnixNano: now },
      { ...span, startTimeUnixNano: now, name: 'other' },
    ]),
  );
  await sender.send('/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: old }] }] }] });
  const outcome = newOutcome();
  await sender.outcomes({ outcomes: [outcome, { ...outcome, type: 'other' }, {}] });
  const droppedOf = async (path: string) =>
    (await asMember(stack(), sender, sender).get(path))[1].meta.coverage.dropped;
  await expect
    .poll(() => droppedOf('connection-status'))
    .toEqual({ ids: 1, time: 3, conflict: 2, invalid: 1 });
  expect(await droppedOf('services')).toEqual({ ids: 1, time: 2, conflict: 1 });
  expect(await droppedOf('logs?period=15m')).toEqual({ time: 1 });
  expect(await droppedOf('outcomes')).toEqual({ conflict: 1, invalid: 1 });
  expect(await droppedOf('metric-catalog')).toEqual({});
});

describe('how much of a range was observed', () => {
  const MINUTE = 60_000;
  const metaOf = async (sender: Sender, path: string) =>
    (await asMember(stack(), sender, sender).get(path))[1].meta;
  const minute = Math.floor(Date.now() / MINUTE) * MINUTE;
  const at = (ms: number) => new Date(ms).toISOString();
  const range = (minutes: number) => `from=${at(minute - minutes * MINUTE)}&to=${at(minute)}`;

  test.each([
    ['services', 'traces'],
    ['logs', 'logs'],
    ['metric-catalog', 'metrics'],
    ['outcomes', 'outcomes'],
  ] as const)('%s', async (path, signal) => {
    const sender = await newSender(stack());
    const happened = [
      minute - 30 * MINUTE,
      minute - 30 * MINUTE + 1,
      minute - 2 * MINUTE + 5,
      minute - 150 * 60 * MINUTE,
    ];
    for (const ms of happened) {
      const timeUnixNano = `${ms}000000`;
      const ids = { traceId: crypto.randomUUID().replaceAll('-', ''), spanId: 'cd'.repeat(8) };
      const sent = {
        traces: () =>
          sender.send('/v1/traces', {
            resourceSpans: [
              { scopeSpans: [{ spans: [{ ...ids, name: 'n', startTimeUnixNano: timeUnixNano }] }] },
            ],
          }),
        logs: () =>
          sender.send('/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano }] }] }] }),
        metrics: () =>
          sender.send('/v1/metrics', {
            resourceMetrics: [
              {
                scopeMetrics: [
                  { metrics: [{ name: 'm', gauge: { dataPoints: [{ timeUnixNano, asInt: 1 }] } }] },
                ],
              },
            ],
          }),
        outcomes: () => sender.outcomes(newOutcome({ occurredAt: at(ms) })),
      };
      await sent[signal]();
    }
    const { coverage, freshness } = await metaOf(sender, `${path}?${range(40)}`);
    // Two of 40 minutes.
    expect(coverage).toMatchObject({ observed: true, observedShare: 0.05, dropped: {} });
    expect(freshness.lastEventAt).toBe(at(minute - 2 * MINUTE + 5));
    expect(Date.parse(freshness.foldedAt)).toBe(Date.parse(freshness.evaluatedAt));
    // Over three hours by the hour.
    const hours = new Set(happened.slice(0, 3).map((ms) => Math.floor(ms / 3_600_000))).size;
    const day = await metaOf(sender, `${path}?${range(20 * 60)}`);
    const from = Math.floor((minute - 20 * 60 * MINUTE) / 3_600_000);
    const elapsed = Math.ceil(minute / 3_600_000) - from;
    expect(day.coverage.observedShare).toBe(Math.round((1000 * hours) / elapsed) / 1000);
    expect((await metaOf(sender, `${path}?${range(29)}`)).coverage.observedShare).toBeCloseTo(1 / 29, 3);
    expect(
      (await metaOf(sender, `${path}?from=${at(minute - 20 * MINUTE)}&to=${at(minute - 10 * MINUTE)}`))
        .coverage,
    ).toMatchObject({
      observed: false,
      observedShare: 0,
    });
  });

  test('since when is the first of what is kept, which may be before the environment was made', async () => {
    const sender = await newSender(stack());
    const since = async (path: string) => (await metaOf(sender, path)).coverage.since;
    const made = await since('services');
    expect(Date.parse(made)).toBeGreaterThan(minute - 10 * MINUTE);
    expect([await since('logs'), await since('outcomes')]).toEqual([made, made]);
    const DAY = 1440 * MINUTE;
    const first = minute - 20 * DAY;
    const timeUnixNano = `${first + 5}000000`;
    await sender.send('/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano }] }] }] });
    await sender.send('/v1/traces', spansOf('shop', [{}]));
    // Traces came later than logs: in between there were none.
    for (const path of ['logs', 'services', 'errors', 'metric-catalog'])
      expect(await since(path)).toBe(at(first));
    expect(await since('outcomes')).toBe(made);
    await sender.outcomes(newOutcome({ occurredAt: at(minute - 400 * DAY) }));
    expect([await since('outcomes'), await since('services')]).toEqual([at(minute - 400 * DAY), at(first)]);
    // Not kept any more.
    await stack().sql`update environments set traces_days = 7 where key = ${sender.environmentKey}`;
    expect(Math.abs(Date.parse(await since('services')) - (Date.now() - 7 * DAY))).toBeLessThan(MINUTE);
    expect(await since('logs')).toBe(at(first));
  });

  test('a range that goes on ends with the present', async () => {
    const sender = await newSender(stack());
    for (const path of [
      'errors?period=1h',
      'errors?period=30d',
      'services',
      `traces?from=${at(minute - MINUTE)}&to=${at(minute + 90 * MINUTE)}`,
    ]) {
      const { range: shown, freshness } = await metaOf(sender, path);
      expect([path, shown.to <= freshness.evaluatedAt || shown.to]).toEqual([path, true]);
    }
    const future = await metaOf(
      sender,
      `traces?from=${at(minute + 9 * MINUTE)}&to=${at(minute + 90 * MINUTE)}`,
    );
    expect(future.range).toMatchObject({ from: at(minute + 9 * MINUTE), to: at(minute + 90 * MINUTE) });
  });

  test('is not known before hours were noted', async () => {
    const sender = await newSender(stack());
    await stack().sql`
      update environments set hours_noted_from = ${at(minute - 10 * MINUTE)}::timestamptz where key = ${sender.environmentKey}`;
    await sender.send('/v1/traces', spansOf('shop', [{}]));
    const share = async (query: string) => (await metaOf(sender, `services?${query}`)).coverage.observedShare;
    expect(await share(`from=${at(minute - 30 * MINUTE)}&to=${at(minute - 20 * MINUTE)}`)).toBeNull();
    const now = Date.now();
    expect(await share(`from=${at(minute - 30 * MINUTE)}&to=${at(now + MINUTE)}`)).toBeGreaterThan(0.05);
  });

  test('the last event stays known after its receipt was summed up', async () => {
    const sender = await newSender(stack());
    await sender.send('/v1/traces', spansOf('shop', [{}]));
    const { freshness: before } = await metaOf(sender, 'services');
    await stack().sql`
      update telemetry_receipts set received_at = received_at - interval '1 hour' where environment_key = ${sender.environmentKey}`;
    await stack().scheduled('receiver', CRON);
    const { freshness } = await metaOf(sender, 'services');
    expect([before.lastEventAt, freshness.lastEventAt]).toEqual([instant, before.lastEventAt]);
  });
});

test('a service map says from when on it isn’t complete', async () => {
  const sender = await newSender(stack());
  const map = async () => (await asMember(stack(), sender, sender).get('service-map?period=1h'))[1].meta;
  const began = Math.floor(Date.now() / 60_000) * 60_000 - 20 * 60_000;
  const span = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), kind: 2, name: 'n' };
  const times = { startTimeUnixNano: `${began}000000`, endTimeUnixNano: `${began + 5}000000` };
  await sender.send('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...times }] }] }] });
  const { freshness, notes } = await map();
  expect(freshness.foldedAt).toBe(new Date(began).toISOString());
  expect(notes).toContainEqual(expect.stringContaining('since `freshness.foldedAt` are not counted yet'));
  await stack().scheduled('receiver', CRON);
  await expect.poll(async () => (await map()).freshness.foldedAt > new Date(began).toISOString()).toBe(true);
  const after = await map();
  expect(after.freshness.foldedAt).toBe(after.freshness.evaluatedAt);
  expect(after.notes).toHaveLength(1);
});
