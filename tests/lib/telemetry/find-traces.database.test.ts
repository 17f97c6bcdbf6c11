/** Compares the search for traces with a search through every span. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTraces } from '../../../lib/telemetry/find-traces.ts';
import type { FindTraces } from '../../../lib/telemetry/trace-schemas.ts';
import { useDatabase } from '../../services/database.ts';
import { createEnvironment, NOW, type StoredSpan } from './stored-spans.ts';

const database = useDatabase();
const FROM = Date.parse('2026-11-20T22:00:00.000Z');
const SECONDS = Math.floor((NOW - FROM) / 1000);
const hex = (n: number, digits: number) => (n + 1).toString(16).padStart(digits, '0');

const attributes = fc.record(
  {
    method: fc.constantFrom('GET', 'POST'),
    'http.status': fc.constantFrom(200, 500, '500', true, 'true', -1.5),
    'a "key" of $.odd ]| things\\': fc.constantFrom('x', "y'z", '50%_of'),
    list: fc.subarray(['one', 'two', 3]),
  },
  { requiredKeys: [] },
);
const span: fc.Arbitrary<StoredSpan> = fc
  .record({
    trace: fc.nat(30),
    id: fc.nat(200),
    service: fc.constantFrom('web', 'shop', 'mail'),
    name: fc.constantFrom('GET /', 'Post_cart', '100% done'),
    kind: fc.nat(5),
    status: fc.nat(2),
    // Many spans at the same time, and many at the ends of hours and minutes.
    second: fc.oneof(fc.nat(SECONDS), fc.constantFrom(3600, 3599, 3660, 7200, 7260, 100, SECONDS)),
    durationMs: fc.nat(20),
    statusMessage: fc.constantFrom('', 'card \\ declined'),
    attributes,
  })
  .map(({ trace, id, second, durationMs, ...fields }) => ({
    ...fields,
    ...{ traceId: hex(trace, 32), spanId: hex(id * 31 + trace, 16), parentSpanId: null },
    ...{ startMs: FROM + second * 1000, durationNano: durationMs * 1_000_000 },
  }));

type TraceFilters = Omit<
  FindTraces,
  'projectId' | 'environmentId' | 'period' | 'from' | 'to' | 'limit' | 'cursor'
>;

const filters: fc.Arbitrary<TraceFilters> = fc.record({
  service: fc.option(fc.constantFrom('web', 'shop', 'nobody'), { nil: undefined }),
  operation: fc.option(fc.constantFrom('GET /', 'get /'), { nil: undefined, freq: 2 }),
  status: fc.option(fc.constantFrom('unset', 'ok', 'error'), { nil: undefined }),
  minDurationMs: fc.option(fc.nat(12), { nil: undefined, freq: 2 }),
  maxDurationMs: fc.option(fc.nat(25), { nil: undefined, freq: 2 }),
  attributes: fc.record(
    {
      method: fc.constantFrom('GET', 'PUT'),
      'http.status': fc.constantFrom('200', '500', 'true', '-1.5'),
      'a "key" of $.odd ]| things\\': fc.constantFrom('x', "y'z"),
      list: fc.constantFrom('one', '3'),
    },
    { requiredKeys: [] },
  ),
  resource: fc.record({ 'service.name': fc.constantFrom('web', 'mail') }, { requiredKeys: [] }),
  q: fc.option(fc.constantFrom('POST_C', '100%', '%', 'card \\', "y'Z", '50%_', '500', 'nothing'), {
    nil: undefined,
    freq: 2,
  }),
});

const spelt = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(spelt) : value === null ? [] : [String(value)];
const STATUSES = ['unset', 'ok', 'error'];

function isMatch(one: StoredSpan, asked: TraceFilters): boolean {
  const { service, operation, status, minDurationMs, maxDurationMs, q } = asked;
  const ms = one.durationNano / 1e6;
  const texts = [
    one.name,
    one.statusMessage ?? '',
    ...Object.values(one.attributes ?? {}).map((value) =>
      Array.isArray(value) ? JSON.stringify(value) : String(value),
    ),
  ];
  return (
    (service === undefined || one.service === service) &&
    (operation === undefined || one.name === operation) &&
    (status === undefined || STATUSES[one.status] === status) &&
    (minDurationMs === undefined || ms >= minDurationMs) &&
    (maxDurationMs === undefined || ms <= maxDurationMs) &&
    Object.entries(asked.attributes).every(([key, text]) =>
      spelt(one.attributes?.[key] ?? null).includes(text),
    ) &&
    Object.values(asked.resource).every((name) => one.service === name) &&
    (q === undefined || texts.some((text) => text.toLowerCase().includes(q.toLowerCase())))
  );
}

/** Trace ids in the order of their newest matching span. */
function expected(spans: readonly StoredSpan[], asked: TraceFilters): string[] {
  const matching = spans
    .filter((one) => isMatch(one, asked))
    .sort((a, b) => b.startMs - a.startMs || (a.traceId < b.traceId ? 1 : a.traceId > b.traceId ? -1 : 0));
  return [...new Set(matching.map(({ traceId }) => traceId))];
}

const input = fc.record({
  spans: fc.uniqueArray(span, {
    minLength: 1,
    maxLength: 80,
    selector: ({ traceId, spanId }) => traceId + spanId,
  }),
  asked: filters,
  limit: fc.integer({ min: 1, max: 12 }),
  budget: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(20_000)),
  isSummed: fc.constantFrom('before', 'between', 'never'),
});

test('every trace with a matching span, once, newest first, whatever the pages and what a page may examine', async () => {
  const { sql } = database();
  await fc.assert(
    fc.asyncProperty(input, async ({ spans, asked, limit, budget, isSummed }) => {
      const { store, ctx, ids } = await createEnvironment(sql);
      const half = Math.floor(spans.length / 2);
      await store(spans.slice(0, half));
      if (isSummed === 'between') await sql`select sum_spans(1000)`;
      await store(spans.slice(half));
      if (isSummed === 'before') await sql`select sum_spans(1000)`;
      const range = { from: new Date(FROM).toISOString(), to: new Date(NOW).toISOString() };
      const listed: string[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
        const page = await findTraces(ctx(), {
          ...ids,
          ...range,
          ...asked,
          limit,
          cursor,
          maxExamined: budget,
        });
        expect(page.data.length).toBeLessThanOrEqual(limit);
        expect(page.meta.examined).toBeLessThanOrEqual(budget);
        expect(pages).toBeLessThan(200);
        listed.push(...page.data.map(({ traceId }) => traceId));
        cursor = page.meta.nextCursor ?? undefined;
      }
      const known = spans.filter(({ startMs }) => startMs < NOW);
      expect(listed).toEqual(expected(known, asked));
    }),
    { numRuns: 150 },
  );
}, 300_000);

/** Trace ids by what they are sorted by, of the newest `most` spans; of equal ones by the span that stands for the trace. */
function ranked(spans: readonly StoredSpan[], asked: TraceFilters, by: 'duration' | 'errors', most: number) {
  const newest = spans
    .filter(({ status }) => asked.status !== 'error' || status === 2)
    .toSorted((a, b) => b.startMs - a.startMs)
    .slice(0, most);
  const byTrace = Map.groupBy(
    newest.filter((one) => isMatch(one, asked)),
    ({ traceId }) => traceId,
  );
  return [...byTrace]
    .map(([traceId, all]) => {
      const errors = all.filter(({ status }) => status === 2);
      const hits = by === 'errors' && errors.length > 0 ? errors : all;
      const [hit] = hits.toSorted((a, b) => b.durationNano - a.durationNano || b.startMs - a.startMs);
      return {
        ...{ traceId, at: hit?.startMs ?? 0 },
        value: by === 'errors' ? errors.length : (hit?.durationNano ?? 0),
      };
    })
    .sort((a, b) => b.value - a.value || b.at - a.at || (a.traceId < b.traceId ? 1 : -1))
    .map(({ traceId }) => traceId);
}

test('sorted by duration or errors, every trace comes once and in order, whatever the pages', async () => {
  const { sql } = database();
  await fc.assert(
    fc.asyncProperty(
      input,
      fc.constantFrom('duration' as const, 'errors' as const),
      async ({ spans, asked, limit }, sort) => {
        const { store, ctx, ids } = await createEnvironment(sql);
        await store(spans);
        const from = new Date(FROM).toISOString();
        const query = { ...ids, ...asked, from, to: new Date(NOW).toISOString(), limit, sort };
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const { data, meta } = await findTraces(ctx(), {
            ...query,
            ...(cursor !== undefined && { cursor }),
          });
          expect(data.length).toBeLessThanOrEqual(limit);
          expect(meta.comparedSince).toBeUndefined();
          found.push(...data.map(({ traceId }) => traceId));
          cursor = meta.nextCursor ?? undefined;
        } while (cursor !== undefined);
        const known = spans.filter(({ startMs }) => startMs < NOW);
        expect(found).toEqual(ranked(known, asked, sort, known.length));
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
}, 120_000);

test('a sorted list says since when it compares, and a cursor is of its order alone', async () => {
  const { sql } = database();
  const spans = Array.from(
    { length: 9 },
    (_, n): StoredSpan => ({
      ...{
        traceId: hex(n, 32),
        spanId: hex(n, 16),
        parentSpanId: null,
        service: 'web',
        name: 'GET /',
        kind: 2,
      },
      ...{ status: n % 2 === 0 ? 2 : 0, startMs: FROM + n * 60_000, durationNano: (9 - n) * 1e6 },
    }),
  );
  const { store, ctx, ids } = await createEnvironment(sql);
  await store(spans);
  const ends = { from: new Date(FROM).toISOString(), to: new Date(NOW).toISOString() };
  const query = { ...ids, ...ends, attributes: {}, resource: {}, limit: 2, sort: 'duration' as const };
  const { data, meta } = await findTraces(ctx(), { ...query, maxCompared: 4 });
  // The slowest of all are older than the newest four.
  expect(data.map(({ traceId }) => traceId)).toEqual([hex(5, 32), hex(6, 32)]);
  expect(meta).toMatchObject({ examined: 4, comparedSince: new Date(FROM + 5 * 60_000).toISOString() });
  const cursor = meta.nextCursor ?? '';
  await expect(findTraces(ctx(), { ...query, sort: 'errors', cursor })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('an item tells of the trace and of the span that matches; pages end where the first did', async () => {
  const { sql } = database();
  const { store, ctx, ids } = await createEnvironment(sql);
  const base = { kind: 2, status: 0, durationNano: 5_000_000, name: 'GET /' };
  const at = NOW - 60_000;
  const one = (
    trace: number,
    id: number,
    parent: number | null,
    service: string,
    startMs: number,
  ): StoredSpan => ({
    ...base,
    ...{
      traceId: hex(trace, 32),
      spanId: hex(id, 16),
      parentSpanId: parent === null ? null : hex(parent, 16),
    },
    ...{ service, startMs },
  });
  await store([
    { ...one(0, 0, null, 'web', at), durationNano: 50_000_000, name: 'GET /cart' },
    { ...one(0, 1, 0, 'shop', at + 10), status: 2, statusMessage: 'declined' },
    one(1, 0, 77, 'shop', at + 20),
  ]);
  const ask = (more: object) =>
    findTraces(ctx(), {
      ...{ ...ids, period: '1h', limit: 1, attributes: {}, resource: {} },
      ...more,
    });
  const first = await ask({});
  expect(first.data).toMatchObject([
    { traceId: hex(1, 32), spans: 1, root: { observed: false, service: 'shop', operation: 'GET /' } },
  ]);
  await store([one(2, 0, null, 'web', NOW - 1000)]);
  const second = await ask({ cursor: first.meta.nextCursor });
  expect(second.data).toEqual([
    {
      traceId: hex(0, 32),
      start: new Date(at).toISOString(),
      durationMs: 50,
      spans: 2,
      errors: 1,
      services: ['shop', 'web'],
      truncated: false,
      root: { observed: true, service: 'web', operation: 'GET /cart' },
      match: {
        ...{ spanId: hex(1, 16), service: 'shop', operation: 'GET /', kind: 'server', status: 'error' },
        ...{ statusMessage: 'declined', start: new Date(at + 10).toISOString(), durationMs: 5 },
      },
    },
  ]);
});
