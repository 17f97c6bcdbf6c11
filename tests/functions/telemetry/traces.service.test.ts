/** Queries of spans: sent to the receiver, read over HTTP. */
import { describe, expect, test } from 'vitest';
import type { Trace } from '../../../lib/telemetry/trace-schemas.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { createWorld, minutesAgo, order, type TestSpan } from './sent-spans.ts';
import { spanIdOf, traceIdOf } from './test-environment.ts';

const stack = useStack();

interface List {
  data: { traceId: string; [field: string]: unknown }[];
  meta: { nextCursor: string | null; examined: number; coverage: { observed: boolean } };
}

describe('traces', () => {
  test('what was sent is found by whatever it is, newest first', async () => {
    const world = await createWorld(stack());
    const at = minutesAgo(5);
    for (let n = 0; n < 5; n += 1) await world.send(order(n, at + n * 1000));
    const find = async (query: string) =>
      (await world.get<List>(`traces?limit=100&period=24h&${query}`)).data.map(({ traceId }) => traceId);
    const all = [4, 3, 2, 1, 0].map(traceIdOf);
    const only = [traceIdOf(3)];
    const expectations: [string, string[]][] = [
      ['', all],
      ['service=shop', all],
      ['service=shop&operation=GET%20/stock/:id', []],
      ['status=error', all],
      ['status=error&service=web', []],
      ['attr.order.id=o-3', only],
      ['attr.http.response.status_code=402&attr.retried=false&attr.order.id=o-3', only],
      ['attr.http.response.status_code=403', []],
      ['resource.host.name=h1&attr.order.id=o-3', only],
      ['resource.host.name=h2', []],
      ['q=DECLINED', all],
      ['q=o-3', only],
      ['minDurationMs=60&maxDurationMs=60', all],
      ['minDurationMs=100.5', []],
    ];
    for (const [query, expected] of expectations)
      expect([query, await find(query)]).toEqual([query, expected]);
    await world.rollUp();
    for (const [query, expected] of expectations)
      expect([query, await find(query)]).toEqual([query, expected]);
  });

  test('pages list each trace once; what is malformed is refused; nobody else sees any', async () => {
    const world = await createWorld(stack());
    for (let n = 0; n < 5; n += 1) await world.send(order(n, minutesAgo(5) + n * 1000));
    const listed: string[] = [];
    let cursor = '';
    do {
      const page = await world.get<List>(`traces?limit=2&period=24h${cursor}`);
      listed.push(...page.data.map(({ traceId }) => traceId));
      cursor = page.meta.nextCursor === null ? '' : `&cursor=${page.meta.nextCursor}`;
    } while (cursor !== '');
    expect(listed).toEqual([4, 3, 2, 1, 0].map(traceIdOf));
    for (const wrong of [
      ...[
        'attr.=1',
        'attr=1',
        'attrs.a=1',
        '__proto__=1',
        'constructor=1',
        'resource.%00=1',
        'attr.a=',
        'q=',
      ],
      ...[
        'cursor=1-1-1-1',
        `cursor=9-99999999999999999999-${traceIdOf(1)}-${spanIdOf(1)}`,
        'minDurationMs=-1',
      ],
      ...[
        'limit=0',
        'limit=101',
        'status=500',
        Array.from({ length: 9 }, (_, n) => `attr.k${n}=1`).join('&'),
      ],
    ])
      expect([wrong, await world.status(`traces?${wrong}`)]).toEqual([wrong, 400]);
    const other = await createTenant(stack().sql);
    for (const path of [
      'traces',
      `traces/${traceIdOf(0)}`,
      'services',
      'service-summary?service=web',
      'service-map',
    ]) {
      const response = await world.ask(path, other);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        404,
        { error: 'NOT_FOUND' },
      ]);
    }
    const empty = await createWorld(stack());
    expect(await empty.get<List>('traces')).toMatchObject({
      data: [],
      meta: { coverage: { observed: false }, nextCursor: null, examined: 0 },
    });
    expect(await empty.status(`traces/${traceIdOf(0)}`)).toBe(404);
  });

  test('a trace is a tree with its critical path, clocks that agree, and its logs', async () => {
    const world = await createWorld(stack());
    const at = minutesAgo(5);
    const spans = order(0, at);
    await world.send(spans.slice(2));
    const traceId = traceIdOf(0);
    const partial = await world.get<{ data: Trace }>(`traces/${traceId}`);
    expect(partial.data.spans.map(({ spanId, missing, depth }) => [spanId, missing, depth])).toEqual([
      [spanIdOf(1), true, 0],
      [spanIdOf(2), false, 1],
      [spanIdOf(3), false, 2],
    ]);
    await world.send(spans.slice(0, 2));
    await world.sendLogs([
      { traceId, spanId: spanIdOf(2), timeMs: at + 50, text: 'declined' },
      { traceId: traceIdOf(9), timeMs: at + 50, text: 'of another trace' },
    ]);
    const { data } = await world.get<{ data: Trace }>(`traces/${traceId.toUpperCase()}`);
    expect(data).toMatchObject({
      ...{ traceId, start: new Date(at).toISOString(), durationMs: 100, spanCount: 4, errorCount: 1 },
      ...{ services: ['shop', 'stock', 'web'], truncated: false, logsTruncated: false },
      spans: [
        {
          spanId: spanIdOf(0),
          parent: null,
          depth: 0,
          offsetMs: 0,
          durationMs: 100,
          criticalMs: 20,
          service: 'web',
        },
        {
          spanId: spanIdOf(1),
          parent: 0,
          depth: 1,
          offsetMs: 10,
          durationMs: 80,
          criticalMs: 20,
          kind: 'client',
        },
        {
          ...{ spanId: spanIdOf(2), parent: 1, depth: 2, offsetMs: 20, criticalMs: 40, clockSkewMs: 0 },
          ...{ status: 'error', statusMessage: 'Card declined', startNano: `${at + 20}000000` },
          attributes: { 'http.response.status_code': 402, 'order.id': 'o-0', retried: false },
        },
        {
          ...{
            spanId: spanIdOf(3),
            parent: 2,
            depth: 3,
            offsetMs: 40,
            criticalMs: 20,
            clockSkewMs: 3_600_040,
          },
          startNano: `${at - 3_600_000}000000`,
        },
      ],
      logs: [{ body: 'declined', severity: 17, spanId: spanIdOf(2), service: 'shop' }],
    });
    for (const span of data.spans) {
      if (span.missing) throw new Error('All were sent.');
      expect(data.resources[span.resource]?.service).toBe(span.service);
      expect(data.scopes[span.scope]?.name).toBe('test');
    }
    for (const id of ['1', 'x'.repeat(32), `${traceId}0`, '%00'])
      expect(await world.status(`traces/${id}`)).toBe(404);
  });

  test('of a trace with more spans than an answer holds the earliest are shown', async () => {
    const world = await createWorld(stack());
    const at = minutesAgo(5);
    const spans = Array.from(
      { length: 10_050 },
      (_, n): TestSpan => ({
        ...{
          traceId: traceIdOf(0),
          spanId: spanIdOf(n),
          service: 'web',
          startMs: at + n * 0.001,
          durationMs: 1,
        },
        ...(n > 0 && { parentSpanId: spanIdOf(n - 1) }),
      }),
    );
    for (let from = 0; from < spans.length; from += 4000) await world.send(spans.slice(from, from + 4000));
    const { data } = await world.get<{ data: Trace }>(`traces/${traceIdOf(0)}`);
    expect(data).toMatchObject({ truncated: true, spanCount: 10_000 });
    expect(data.spans.at(-1)).toMatchObject({ depth: 9999, spanId: spanIdOf(9999) });
    const list = await world.get<List>('traces');
    expect(list.data).toMatchObject([{ spans: 1000, truncated: true }]);
  });
});

describe('the journey of a trace', () => {
  interface Journey {
    data: { spans: object[]; outcomes: object[]; pageViews: object[]; coverage: object };
  }

  test('an outcome is linked by the sending that named the trace, and by nothing else', async () => {
    const world = await createWorld(stack());
    const at = minutesAgo(5);
    await world.send(order(0, at));
    const occurredAt = new Date(at).toISOString();
    const traceId = traceIdOf(0);
    const outcomeBase = {
      source: 'shop',
      type: 'order.paid',
      occurredAt,
      value: { amount: '12.50', currency: 'EUR' },
    };
    const tell = (outcome: object) => world.tell({ ...outcomeBase, ...outcome });
    expect(await tell({ domainEventId: 'o-1', traceId, spanId: spanIdOf(2) })).toBe(201);
    expect(await tell({ domainEventId: 'o-2', traceId: traceIdOf(7) })).toBe(201);
    expect(await tell({ domainEventId: 'o-3' })).toBe(201);
    // The same outcome from this trace makes a link. A contradicting outcome from it doesn't.
    expect(await tell({ domainEventId: 'o-3', traceId })).toBe(200);
    expect(await tell({ domainEventId: 'o-2', type: 'order.lost', traceId })).toBe(409);
    const { data } = await world.get<Journey>(`traces/${traceId}/journey`);
    expect(data).toMatchObject({
      pageViews: [],
      coverage: { pageViews: 'not observed', spans: 'observed', outcomes: 'observed' },
      outcomes: [
        {
          ...{ domainEventId: 'o-1', evidence: 'outcome provenance', spanId: spanIdOf(2), span: 2 },
          value: { amount: '12.50', currency: 'EUR' },
        },
        { domainEventId: 'o-3', evidence: 'outcome provenance', spanId: null, span: null },
      ],
    });
    expect(data.spans).toMatchObject([
      { service: 'web' },
      { service: 'web' },
      { service: 'shop' },
      { service: 'stock' },
    ]);
    expect(data.outcomes).toHaveLength(2);

    const other = await world.get<Journey>(`traces/${traceIdOf(7)}/journey`);
    expect(other.data).toMatchObject({
      spans: [],
      outcomes: [{ domainEventId: 'o-2', type: 'order.paid' }],
      coverage: { spans: 'not observed' },
    });
    expect(await world.status(`traces/${traceIdOf(8)}/journey`)).toBe(404);
  });
});
