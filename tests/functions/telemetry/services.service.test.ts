/** Queries of sums of spans: sent to the receiver, read over HTTP. */
import { describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { createWorld, minutesAgo, order, type TestSpan } from './sent-spans.ts';
import { spanIdOf, traceIdOf } from './test-environment.ts';

const stack = useStack();

const DAY_MS = 86_400_000;

interface List {
  data: { name: string }[];
  meta: { nextCursor: string | null };
}

describe('services', () => {
  test('a summary is the same before and after it is summed; who sent nothing was not observed', async () => {
    const world = await createWorld(stack());
    for (let n = 0; n < 20; n += 1) await world.send(order(n, minutesAgo(90) + n * 60_000));
    const paths = [
      'services?period=24h',
      'service-summary?service=shop&period=24h',
      'service-summary?service=web&period=24h&interval=1h',
      'service-map?period=24h',
    ];
    const read = async () =>
      Promise.all(paths.map(async (path) => (await world.get<{ data: Record<string, unknown> }>(path)).data));
    const withoutRates = (answer: unknown) =>
      JSON.parse(JSON.stringify(answer), (key, value) => (key === 'ratePerSecond' ? undefined : value));
    const before = (await read()).slice(0, 3);
    expect(before[0]).toMatchObject([
      { name: 'shop', spans: 20, entries: 20, errors: 20 },
      { name: 'stock', spans: 20, entries: 20, errors: 0 },
      { name: 'web', spans: 40, entries: 20, errors: 0 },
    ]);
    const summary = before[1] as { p50Ms: number; ratePerSecond: number };
    expect(summary).toMatchObject({
      ...{ service: 'shop', spans: 20, entries: 20, errors: 20, errorRate: 1, meanMs: 60, moreOperations: 0 },
      operations: [{ operation: 'POST /order', entries: 20, meanMs: 60 }],
    });
    expect(Math.abs(summary.p50Ms / 60 - 1)).toBeLessThanOrEqual(0.045);
    expect(summary.ratePerSecond).toBeCloseTo(20 / 86_400, 6);

    await world.rollUp();
    const after = await read();
    expect(withoutRates(after.slice(0, 3))).toEqual(withoutRates(before));
    expect(after[3]).toMatchObject({
      nodes: [{ service: 'shop', entries: 20, errors: 20 }, { service: 'stock' }, { service: 'web' }],
      edges: [
        { caller: 'shop', callee: 'stock', calls: 20, errors: 0, meanMs: 20 },
        { caller: 'web', callee: 'shop', calls: 20, errors: 20, meanMs: 60 },
      ],
    });
    expect(await world.get('service-summary?service=nobody&period=24h')).toMatchObject({
      data: null,
      meta: { coverage: { observed: true }, approximate: expect.stringContaining('4.5 %') },
    });
  });

  test('calls of the newest minutes are on the map before anything is summed', async () => {
    const world = await createWorld(stack());
    await world.send(order(0, Date.now() - 2000));
    const { data } = await world.get<{ data: unknown }>('service-map?period=15m');
    expect(data).toMatchObject({ edges: [{ caller: 'web', callee: 'shop', calls: 1 }] });
  });

  test('a call over midnight is on the map, whichever side’s clock is behind', async () => {
    const world = await createWorld(stack());
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const call = (n: number, callerMs: number, calleeMs: number): TestSpan[] => [
      { traceId: traceIdOf(n), spanId: spanIdOf(2 * n), service: 'web', startMs: callerMs },
      {
        ...{ traceId: traceIdOf(n), spanId: spanIdOf(2 * n + 1), parentSpanId: spanIdOf(2 * n) },
        ...{ service: 'shop', startMs: calleeMs },
      },
    ];
    await world.send([...call(1, midnight - 5, midnight + 5), ...call(2, midnight + 5, midnight - 5)]);
    await world.rollUp(Date.now() + 5 * 60_000);
    const { data } = await world.get<{ data: unknown }>('service-map?period=24h');
    expect(data).toMatchObject({ edges: [{ caller: 'web', callee: 'shop', calls: 2 }] });
  });

  test('services are paged by name', async () => {
    const world = await createWorld(stack());
    await world.send(order(0, minutesAgo(70)));
    const first = await world.get<List>('services?period=24h&limit=2');
    expect(first.data.map(({ name }) => name)).toEqual(['shop', 'stock']);
    const second = await world.get<List>(`services?period=24h&limit=2&cursor=${first.meta.nextCursor}`);
    expect(second.data.map(({ name }) => name)).toEqual(['web']);
    expect(second.meta.nextCursor).toBeNull();
  });
});
