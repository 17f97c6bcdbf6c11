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

test('receipts are summed up by the cron, and nothing that is told changes but the rate', async () => {
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
    const told = await response.json();
    const signal = path.slice(4) as 'traces' | 'logs' | 'metrics';
    expect(await errorOf(sender, signal)).toEqual({ at: instant, status, message: told.message });
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
