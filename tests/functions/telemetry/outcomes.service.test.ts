import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { newOutcome, newSender, newTraceId, spansOf } from '../receiver/backend-sender.ts';
import { asMember } from './member.ts';

const stack = useStack();
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

test('counts and exact sums by type and currency, whatever page is shown', async () => {
  const sender = await newSender(stack());
  const paid = (amount: string, currency: string) =>
    newOutcome({ occurredAt: ago(1), value: { amount, currency } });
  await sender.outcomes({
    outcomes: [
      paid('0.1', 'EUR'),
      paid('0.2', 'EUR'),
      paid('999999999999.99', 'USD'),
      paid('0.01', 'USD'),
      newOutcome({ occurredAt: ago(1) }),
      newOutcome({ occurredAt: ago(1), type: 'signup' }),
      newOutcome({ occurredAt: ago(30), type: 'signup' }),
    ],
  });
  const ask = asMember(stack(), sender, sender);
  const orders = {
    type: 'order.paid',
    count: 5,
    values: [
      { currency: 'EUR', count: 2, amount: '0.3' },
      { currency: 'USD', count: 2, amount: '1000000000000.00' },
    ],
  };
  const [status, { data, meta }] = await ask.get('outcomes?period=24h&limit=2');
  expect([status, data.types]).toEqual([200, [orders, { type: 'signup', count: 1, values: [] }]]);
  expect(data.outcomes).toHaveLength(2);
  const [, second] = await ask.get(`outcomes?period=24h&limit=2&cursor=${meta.nextCursor}`);
  expect(second.data.types).toEqual(data.types);
  const [, filtered] = await ask.get('outcomes?period=7d&type=signup');
  expect(filtered.data.types).toEqual([{ type: 'signup', count: 2, values: [] }]);
  expect(filtered.meta.scope.filters).toEqual({ type: 'signup' });
});

test('counts and exact sums by hour and day, of the same outcomes as those of the range', async () => {
  const sender = await newSender(stack());
  const at = (time: string, currency?: string, type = 'order.paid') =>
    newOutcome({ occurredAt: time, type, ...(currency && { value: { amount: '0.10', currency } }) });
  await sender.outcomes({
    outcomes: [
      at('2026-03-01T23:59:59.999Z', 'EUR'),
      at('2026-03-02T00:00:00Z', 'EUR'),
      at('2026-03-02T00:59:59.999Z', 'USD'),
      at('2026-03-02T01:00:00Z'),
      at('2026-03-02T01:30:00Z', undefined, 'signup'),
      at('2026-03-04T00:00:00Z', 'EUR'),
    ],
  });
  const ask = asMember(stack(), sender, sender);
  const range = 'from=2026-03-01T00:00:00Z&to=2026-03-04T00:00:00Z';
  const [status, { data, meta }] = await ask.get(`outcomes?${range}&interval=1d&limit=1`);
  const [eur, usd] = ['EUR', 'USD'].map((currency) => ({ currency, count: 1, amount: '0.10' }));
  const [first, second] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'];
  expect([status, data.intervals]).toEqual([
    200,
    [
      { time: first, type: 'order.paid', count: 1, values: [eur] },
      { time: second, type: 'order.paid', count: 3, values: [eur, usd] },
      { time: second, type: 'signup', count: 1, values: [] },
    ],
  ]);
  expect(meta.scope.filters).toEqual({ interval: '1d' });
  const [, next] = await ask.get(`outcomes?${range}&interval=1d&limit=1&cursor=${meta.nextCursor}`);
  expect(next.data.intervals).toEqual(data.intervals);
  const [, hours] = await ask.get(`outcomes?${range}&interval=1h&type=order.paid`);
  expect(
    hours.data.intervals.map(({ time, count }: { time: string; count: number }) => [time, count]),
  ).toEqual([
    ['2026-03-01T23:00:00.000Z', 1],
    [second, 2],
    ['2026-03-02T01:00:00.000Z', 1],
  ]);
  const [, plain] = await ask.get(`outcomes?${range}`);
  expect(plain.data).not.toHaveProperty('intervals');
  const [refused] = await ask.get('outcomes?from=2026-01-01T00:00:00Z&to=2026-03-04T00:00:00Z&interval=1h');
  expect(refused).toBe(400);
});

test('pages walk through all of them, newest first, each once, also where many occurred at once', async () => {
  const sender = await newSender(stack());
  const at = ago(2);
  const sent = Array.from({ length: 23 }, (_, n) =>
    newOutcome({ occurredAt: n % 3 === 0 ? at : ago(3 + n) }),
  );
  await sender.outcomes({ outcomes: sent });
  const ask = asMember(stack(), sender, sender);
  const range = `from=${ago(100)}&to=${new Date().toISOString()}`;
  const seen: { domainEventId: string; occurredAt: string }[] = [];
  let cursor: string | null = null;
  do {
    const [status, { data, meta }] = await ask.get(
      `outcomes?${range}&limit=5${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    seen.push(...data.outcomes);
    cursor = meta.nextCursor;
  } while (cursor !== null && seen.length < 100);
  expect(seen.map(({ domainEventId }) => domainEventId).sort()).toEqual(
    sent.map(({ domainEventId }) => domainEventId).sort(),
  );
  const times = seen.map(({ occurredAt }) => Date.parse(occurredAt));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('an outcome is answered as it was recorded, with its trace, how often it was sent, and conflicts', async () => {
  const sender = await newSender(stack());
  const [seen, unseen, late] = [newTraceId(), newTraceId(), newTraceId()];
  await sender.send('/v1/traces', spansOf('shop', [{ traceId: seen }]));
  const whole = newOutcome({
    occurredAt: ago(1),
    value: { amount: '12.30', currency: 'EUR' },
    attributes: { plan: 'yearly', seats: 2 },
    traceId: seen,
    spanId: 'eee19b7ec3c1b174',
    sessionId: 'one',
    siteId: sender.siteId,
  });
  const other = newOutcome({ occurredAt: ago(2), traceId: unseen });
  const untraced = newOutcome({ occurredAt: ago(3) });
  for (const outcome of [whole, { ...whole, traceId: late }, { ...whole, type: 'else' }, other, untraced])
    await sender.outcomes(outcome);
  // A retry adds the trace that the first request lacked. A conflict adds nothing.
  await sender.outcomes({ ...untraced, type: 'else', traceId: unseen });
  await sender.outcomes({ ...untraced, traceId: late });
  const [, { data, meta }] = await asMember(stack(), sender, sender).get('outcomes?period=24h');
  const instant = expect.stringMatching(/\.\d{3}Z$/);
  expect(data.outcomes).toEqual([
    {
      source: 'shop',
      domainEventId: whole.domainEventId,
      type: 'order.paid',
      occurredAt: whole.occurredAt,
      receivedAt: instant,
      value: { amount: '12.30', currency: 'EUR' },
      attributes: { plan: 'yearly', seats: 2 },
      siteId: sender.siteId,
      sessionId: 'one',
      trace: { traceId: seen, spanId: 'eee19b7ec3c1b174', observed: true },
      sendings: 3,
      conflicts: 1,
    },
    expect.objectContaining({
      value: null,
      attributes: {},
      siteId: null,
      trace: { traceId: unseen, spanId: null, observed: false },
      sendings: 1,
      conflicts: 0,
    }),
    expect.objectContaining({
      trace: { traceId: late, spanId: null, observed: false },
      sendings: 3,
      conflicts: 1,
    }),
  ]);
  expect(meta).toMatchObject({
    scope: { projectId: sender.projectId, environmentId: sender.environmentId, filters: {} },
    coverage: { observed: true },
    freshness: { lastReceivedAt: instant, evaluatedAt: instant },
    nextCursor: null,
  });
});

test('a range without any says that nothing was observed; outcomes of another environment are not here', async () => {
  const [sender, other] = [await newSender(stack()), await newSender(stack())];
  await other.outcomes(newOutcome({ occurredAt: ago(1) }));
  const ask = asMember(stack(), sender, sender);
  const [, never] = await ask.get('outcomes?period=24h');
  expect(never).toMatchObject({
    data: { types: [], outcomes: [] },
    meta: { coverage: { observed: false }, freshness: { lastReceivedAt: null } },
  });
  await sender.outcomes(newOutcome({ occurredAt: ago(30) }));
  const [, before] = await ask.get('outcomes?period=24h');
  expect(before.meta).toMatchObject({
    coverage: { observed: false },
    freshness: { lastReceivedAt: expect.any(String) },
  });
});

test.each([
  'limit=0',
  'limit=101',
  'limit=1.5',
  'cursor=x',
  'cursor=1-2-3',
  'cursor=9999999999999999-1',
  'type=',
  'period=2h',
  'from=2026-11-21T09:00:00Z',
  'period=1h&from=2026-11-20T09:00:00Z&to=2026-11-21T09:00:00Z',
])('?%s is 400', async (query) => {
  const sender = await newSender(stack());
  const [status, body] = await asMember(stack(), sender, sender).get(`outcomes?${query}`);
  expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR']);
});
