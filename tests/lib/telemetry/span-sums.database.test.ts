/** Compares sums of spans with counting all spans. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listServices } from '../../../lib/telemetry/list-services.ts';
import { mapServices } from '../../../lib/telemetry/map-services.ts';
import { readLatencies } from '../../../lib/telemetry/read-latencies.ts';
import { rollUpSpans } from '../../../lib/telemetry/roll-up-spans.ts';
import { summarizeService } from '../../../lib/telemetry/summarize-service.ts';
import { useDatabase } from '../../services/database.ts';
import { createEnvironment, NOW, type StoredSpan } from './stored-spans.ts';

const database = useDatabase();
const MINUTE_MS = 60_000;
const FROM = Date.parse('2026-11-21T06:00:00.000Z');
const MINUTES = Math.floor((NOW - FROM) / MINUTE_MS);

const hex = (n: number, digits: number) => (n + 1).toString(16).padStart(digits, '0');
const isEntry = ({ kind, parentSpanId }: StoredSpan) => kind === 2 || kind === 5 || parentSpanId === null;

/** Spans of few traces, so that some have parents, some are sent twice, and many are in the same minutes and hours. */
const span: fc.Arbitrary<StoredSpan> = fc
  .record({
    trace: fc.nat(6),
    id: fc.nat(40),
    parent: fc.option(fc.nat(40), { freq: 3 }),
    service: fc.constantFrom('web', 'shop', 'mail'),
    name: fc.constantFrom('GET /', 'POST /cart', 'x'.repeat(300)),
    kind: fc.nat(5),
    status: fc.nat(2),
    minute: fc.oneof(
      fc.nat(MINUTES - 1),
      fc.integer({ min: 55, max: 65 }),
      fc.integer({ min: MINUTES - 6, max: MINUTES - 1 }),
    ),
    second: fc.nat(59),
    durationNano: fc.oneof(fc.nat(10), fc.nat(10_000_000), fc.constant(0)),
  })
  .map(({ trace, id, parent, minute, second, ...fields }) => ({
    ...fields,
    ...{
      traceId: hex(trace, 32),
      spanId: hex(id, 16),
      parentSpanId: parent === null ? null : hex(parent, 16),
    },
    startMs: FROM + minute * MINUTE_MS + second * 1000,
  }));

/** Ids are unique in a request, because the order of two spans with the same id in a request is undefined. */
const request = fc.uniqueArray(span, {
  ...{ minLength: 1, maxLength: 25 },
  selector: ({ traceId, spanId }) => traceId + spanId,
});

type Step = { store: StoredSpan[] } | { sum: number } | { map: true };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ store: request }) },
    { weight: 2, arbitrary: fc.record({ sum: fc.integer({ min: 1, max: 20 }) }) },
    { weight: 1, arbitrary: fc.constant({ map: true as const }) },
  ),
  { minLength: 2, maxLength: 10 },
);
const range = fc.tuple(fc.nat(MINUTES), fc.nat(MINUTES)).map(([a, b]) => ({
  fromMs: FROM + Math.min(a, b) * MINUTE_MS,
  toMs: FROM + (Math.max(a, b) + 1) * MINUTE_MS,
}));

/** The spans that are stored: of each id the first one that arrived. */
function kept(all: readonly Step[]): StoredSpan[] {
  const byId = new Map<string, StoredSpan>();
  for (const step of all)
    for (const one of 'store' in step ? step.store : []) {
      const id = one.traceId + one.spanId;
      if (!byId.has(id)) byId.set(id, one);
    }
  return [...byId.values()];
}

/** The same steps, but each trace arrives at once: a parent that arrives hours after its child isn't found. */
const tracesApart = (all: readonly Step[]): Step[] =>
  all.map((step, n) =>
    'store' in step
      ? { store: step.store.map((one) => ({ ...one, traceId: hex(n, 8) + one.traceId.slice(8) })) }
      : step,
  );

const instants = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});
const tally = (spans: readonly StoredSpan[]) => ({
  spans: spans.length,
  entries: spans.filter(isEntry).length,
  errors: spans.filter((one) => isEntry(one) && one.status === 2).length,
});

describe('sums of spans', () => {
  test('whatever comes in whatever order, and whenever it is summed: each span counts once', async () => {
    const { sql } = database();
    await fc.assert(
      fc.asyncProperty(steps, range, async (all, asked) => {
        const { store, ctx, ids } = await createEnvironment(sql);
        for (const step of all) {
          if ('store' in step) await store(step.store);
          else if ('sum' in step) await sql`select sum_spans(${step.sum}::integer)`;
          else await rollUpSpans({ sql, now: () => NOW });
        }
        const within = kept(all).filter(({ startMs }) => startMs >= asked.fromMs && startMs < asked.toMs);
        const services = [...new Set(within.map(({ service }) => service))].sort();

        const listed = await listServices(ctx(), { ...ids, ...instants(asked), limit: 100 });
        expect(listed.data).toEqual(
          services.map((name) => {
            const own = within.filter(({ service }) => service === name);
            const last = Math.max(...own.map(({ startMs }) => startMs));
            return { name, ...tally(own), lastSeenAt: new Date(last).toISOString() };
          }),
        );

        const { data: summary } = await summarizeService(ctx(), {
          ...{ ...ids, ...instants(asked), service: 'shop', limit: 100, interval: '1h' },
        });
        const own = within.filter(({ service }) => service === 'shop');
        if (own.length === 0) {
          expect(summary).toBeNull();
          return;
        }
        const entries = own.filter(isEntry);
        expect(summary).toMatchObject(tally(own));
        expectLatency(summary?.p50Ms ?? null, entries, 0.5);
        expectLatency(summary?.p99Ms ?? null, entries, 0.99);
        const names = [...new Set(entries.map(({ name }) => name.slice(0, 256)))];
        expect(summary?.moreOperations).toBe(0);
        expect(new Map(summary?.operations.map(({ operation, entries: n }) => [operation, n]))).toEqual(
          new Map(
            names.map((name) => [name, entries.filter((one) => one.name.slice(0, 256) === name).length]),
          ),
        );
        const observed = new Set(kept(all).map(({ startMs }) => Math.floor(startMs / 3_600_000)));
        for (const { time, entries: n, observed: isObserved } of summary?.intervals ?? []) {
          const start = Date.parse(time);
          expect([time, isObserved]).toEqual([time, observed.has(start / 3_600_000)]);
          expect(n).toBe(
            entries.filter(({ startMs }) => startMs >= start && startMs < start + 3_600_000).length,
          );
        }
      }),
      { numRuns: 30 },
    );
  }, 300_000);

  test('a histogram has each entry in the bucket that its duration lies in', async () => {
    const { sql } = database();
    const operation = fc.constantFrom(undefined, 'GET /', 'x'.repeat(256), 'nothing');
    const interval = fc.constantFrom(undefined, '1m', '5m', '15m', '1h', '1d');
    await fc.assert(
      fc.asyncProperty(steps, range, operation, interval, async (all, asked, name, length) => {
        const { store, ctx, ids } = await createEnvironment(sql);
        for (const step of all) {
          if ('store' in step) await store(step.store);
          else await sql`select sum_spans(${'sum' in step ? step.sum : 1000}::integer)`;
        }
        const { data } = await readLatencies(ctx(), {
          ...{ ...ids, ...instants(asked), service: 'shop', operation: name, interval: length },
        });
        const spans = kept(all).filter(
          (one) =>
            one.service === 'shop' &&
            one.startMs >= asked.fromMs &&
            one.startMs < asked.toMs &&
            (name === undefined || one.name.slice(0, 256) === name),
        );
        if (spans.length === 0) {
          expect(data).toBeNull();
          return;
        }
        const entries = spans.filter(isEntry);
        const { buckets = [], intervals, ...total } = data ?? {};
        expect(total).toMatchObject({
          ...{ service: 'shop', operation: name ?? null, entries: entries.length },
          errors: entries.filter(({ status }) => status === 2).length,
        });
        expectLatency(data?.p50Ms ?? null, entries, 0.5);
        expectLatency(data?.p95Ms ?? null, entries, 0.95);
        expectLatency(data?.p99Ms ?? null, entries, 0.99);
        for (const [n, { fromMs, toMs, ...counts }] of buckets.entries()) {
          const within = entries.filter(
            ({ durationNano }) => durationNano >= fromMs * 1e6 && durationNano < toMs * 1e6,
          );
          expect(counts).toEqual({
            entries: within.length,
            errors: within.filter(({ status }) => status === 2).length,
          });
          if (n > 0) expect(fromMs).toBe(buckets[n - 1]?.toMs);
        }
        expect(buckets.reduce((sum, bucket) => sum + bucket.entries, 0)).toBe(entries.length);
        for (const end of [buckets[0], buckets.at(-1)])
          if (entries.length > 0) expect(end?.entries).toBeGreaterThan(0);
        expect(intervals?.map(({ observed: _, ...counts }) => counts)).toEqual(
          length && countedOverTime(entries, buckets, asked, LENGTHS_MS[length]),
        );
      }),
      { numRuns: 40 },
    );
  }, 300_000);

  test('over time a histogram has at most 100,000 numbers of entries', async () => {
    const { sql } = database();
    const { store, ctx, ids } = await createEnvironment(sql);
    const lasting = (n: number, durationNano: number): StoredSpan => ({
      ...{ traceId: hex(n, 32), spanId: hex(n, 16), parentSpanId: null, service: 'shop', name: 'GET /' },
      ...{ kind: 2, status: 0, startMs: FROM + n, durationNano },
    });
    const asked = { ...ids, service: 'shop', interval: '1m' } as const;
    const read = (minutes: number) =>
      readLatencies(ctx(), { ...asked, ...instants({ fromMs: FROM, toMs: FROM + minutes * MINUTE_MS }) });
    // Buckets 40 to 239, which are 200.
    await store([lasting(1, Math.ceil(2 ** (39 / 8))), lasting(2, Math.ceil(2 ** (238 / 8)))]);
    const { data } = await read(500);
    expect(data?.buckets).toHaveLength(200);
    expect(data?.intervals?.map(({ entries, errors }) => entries.length + errors.length)).toEqual(
      Array.from({ length: 500 }, () => 400),
    );
    await expect(read(501)).rejects.toMatchObject({
      ...{ code: 'VALIDATION_ERROR', message: 'The range has over 500 intervals.' },
      details: [{ path: 'interval', message: 'must be longer: at most 500 intervals fit' }],
    });
    await store([lasting(3, Math.ceil(2 ** (239 / 8)))]);
    await expect(read(500)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'interval', message: 'must be longer: at most 100000 intervals times buckets fit' }],
    });
    expect((await read(497)).data?.intervals).toHaveLength(497);
  });

  test('a map of services counts each call once, in minutes, hours and what is newest', async () => {
    const { sql } = database();
    await fc.assert(
      fc.asyncProperty(steps.map(tracesApart), range, async (all, asked) => {
        const { store, ctx, ids } = await createEnvironment(sql);
        for (const step of all) {
          if ('store' in step) await store(step.store);
          else await rollUpSpans({ sql, now: () => NOW });
        }
        await rollUpSpans({ sql, now: () => NOW });

        const stored = kept(all);
        const calls = stored.flatMap((one) => {
          const parent = stored.find(
            ({ traceId, spanId }) => traceId === one.traceId && spanId === one.parentSpanId,
          );
          const isCall =
            (one.kind === 2 || one.kind === 5) && parent !== undefined && parent.service !== one.service;
          return isCall && one.startMs >= asked.fromMs && one.startMs < asked.toMs
            ? [{ caller: parent.service, callee: one.service, error: one.status === 2 }]
            : [];
        });
        const { data: map } = await mapServices(ctx(), { ...ids, ...instants(asked) });
        const expected = Map.groupBy(calls, ({ caller, callee }) => `${caller} ${callee}`);
        expect(
          new Map(map.edges.map((edge) => [`${edge.caller} ${edge.callee}`, [edge.calls, edge.errors]])),
        ).toEqual(
          new Map(
            [...expected].map(([key, group]) => [
              key,
              [group.length, group.filter(({ error }) => error).length],
            ]),
          ),
        );
      }),
      { numRuns: 30 },
    );
  }, 300_000);

  test('whoever reads while some sum sees each span once', async () => {
    const { sql } = database();
    const { store, ctx, ids } = await createEnvironment(sql);
    for (let batch = 0; batch < 6; batch += 1)
      await store(
        fc
          .sample(span, { numRuns: 40, seed: batch })
          .map((one, n) => ({ ...one, spanId: hex(batch * 40 + n, 16) })),
      );
    const asked = instants({ fromMs: FROM, toMs: NOW });
    const read = async () => {
      const { data } = await listServices(ctx(), { ...ids, ...asked, limit: 100 });
      return data.reduce((sum, { spans }) => sum + spans, 0);
    };
    let left = 1;
    const sum = async () => {
      while (left > 0) {
        await sql`select sum_spans(2)`;
        const [row] = await sql`select count(*)::integer as parts from span_parts`;
        left = row?.parts;
      }
    };
    const seen: number[] = [];
    const watch = async () => {
      while (left > 0) seen.push(await read());
    };
    await Promise.all([sum(), sum(), watch(), watch()]);
    expect(new Set([...seen, await read()])).toEqual(new Set([240]));
  });

  test('operations beyond the limit of a service and hour are summed under one name, and none is lost', async () => {
    const { sql } = database();
    const { store, ctx, ids, environmentKey } = await createEnvironment(sql);
    const spans = Array.from(
      { length: 30 },
      (_, n): StoredSpan => ({
        ...{ traceId: hex(n, 32), spanId: hex(n, 16), parentSpanId: null, service: 'shop', name: `op ${n}` },
        ...{ kind: 2, status: 0, startMs: FROM + n * 1000, durationNano: 5 },
      }),
    );
    await store(spans.slice(0, 15));
    await sql`select sum_spans(1000, 10)`;
    await store(spans.slice(15));
    await sql`select sum_spans(1000, 10)`;
    const rows =
      await sql`select distinct operation from span_hours where environment_key = ${environmentKey}`;
    expect(rows).toHaveLength(11);
    const asked = { from: new Date(FROM).toISOString(), to: new Date(FROM + 3_600_000).toISOString() };
    const { data: summary } = await summarizeService(ctx(), {
      ...{ ...ids, ...asked, service: 'shop', limit: 5 },
    });
    expect(summary).toMatchObject({ entries: 30, moreOperations: 6 });
    expect(summary?.operations[0]).toMatchObject({ operation: '(other operations)', entries: 20 });
  });
});

const LENGTHS_MS = {
  ...{ '1m': MINUTE_MS, '5m': 5 * MINUTE_MS, '15m': 15 * MINUTE_MS },
  ...{ '1h': 60 * MINUTE_MS, '1d': 1440 * MINUTE_MS },
} as const;

/** The intervals of a histogram, counted entry by entry. */
function countedOverTime(
  entries: readonly StoredSpan[],
  buckets: readonly { fromMs: number; toMs: number }[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
  lengthMs: number,
) {
  const times: number[] = [];
  for (let time = fromMs - (fromMs % lengthMs); time < toMs; time += lengthMs) times.push(time);
  return times.map((time) => {
    const within = entries.filter(({ startMs }) => startMs >= time && startMs < time + lengthMs);
    const perBucket = (some: readonly StoredSpan[]) =>
      buckets.map(
        (bucket) =>
          some.filter(
            ({ durationNano }) => durationNano >= bucket.fromMs * 1e6 && durationNano < bucket.toMs * 1e6,
          ).length,
      );
    return {
      time: new Date(time).toISOString(),
      entries: perBucket(within),
      errors: perBucket(within.filter(({ status }) => status === 2)),
    };
  });
}

/** The middle of a bucket is within 4.5 % of every value in it. */
function expectLatency(ms: number | null, entries: readonly StoredSpan[], share: number): void {
  const sorted = entries.map(({ durationNano }) => durationNano).sort((a, b) => a - b);
  const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1];
  if (exact === undefined) {
    expect(ms).toBeNull();
    return;
  }
  // Answers are whole microseconds.
  expect(Math.abs((ms ?? Number.NaN) * 1e6 - exact)).toBeLessThanOrEqual(exact * 0.045 + 501);
}
