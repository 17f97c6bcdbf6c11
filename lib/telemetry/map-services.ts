import type { Fragment, Sql } from '../db.ts';
import { LATENCIES_APPROXIMATE, type Latencies, percentileMs, toMs } from './latency.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import type { MapServices, ServiceMap } from './span-schemas.ts';
import { spanSums, wholeMinutes } from './span-sums.ts';
import { resolveRange } from './telemetry-range.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Calls of the newest minutes are read from the spans; `map_services` has already counted earlier calls. */
const RAW_MINUTES = 3;
const MAX_EDGES = 1000;

const UNCOUNTED =
  'Calls of some minutes since `freshness.foldedAt` are not counted yet: their spans came a short time ago.';

const NOT_COUNTED =
  'Not counted: calls whose calling span was not received, or came over 15 minutes after them, or began on an earlier day than the ' +
  `day before; calls by links alone; services that send no spans, such as databases; all beyond the ${MAX_EDGES} most frequent.`;

interface Row {
  nodes: { service: string; entries: number; errors: number }[];
  edges: (Latencies & {
    caller: string;
    callee: string;
    calls: number;
    errors: number;
    duration_nano: number;
  })[];
}

/**
 * Which services call which: a call is an entry (kind server or consumer) whose parent is a span of another service. Throws
 * `NOT_FOUND`, `VALIDATION_ERROR`.
 *
 * Reads sums by hour and minute (schema/functions/service-map.sql) by their key. For the last 3 minutes it reads spans by time and
 * looks up the parent of each: 10 µs per entry, for any range.
 */
export async function mapServices(ctx: TelemetryContext, asked: MapServices): Promise<Answer<ServiceMap>> {
  const now = ctx.now();
  const instants = wholeMinutes(resolveRange(asked, now));
  const { fromMs, toMs: end } = instants;
  const recent = Math.floor(now / MINUTE_MS - RAW_MINUTES) * MINUTE_MS;
  const rawFrom = Math.min(Math.max(fromMs, recent), end);
  const rawTo = Math.min(end, Math.max(rawFrom, (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS));
  const hoursFrom = Math.min(Math.ceil(fromMs / HOUR_MS) * HOUR_MS, rawFrom);
  const hoursTo = Math.max(Math.floor(rawFrom / HOUR_MS) * HOUR_MS, hoursFrom);
  const [from, early, late, to] = [fromMs, hoursFrom, hoursTo, rawFrom].map((ms) =>
    new Date(ms).toISOString(),
  );
  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    asked,
    {
      ...{ instants, signal: 'traces', approximate: LATENCIES_APPROXIMATE, notes: [NOT_COUNTED] },
      foldedAt: firstUncounted(ctx.sql, from as string, to as string),
    },
    ctx.sql`
      with summed as (
        select caller, callee, calls, errors, duration_nano, buckets, counts from service_calls
        where environment_key = (select key from environment) and (
          not hourly and (minute >= ${from}::timestamptz and minute < ${early}::timestamptz
            or minute >= ${late}::timestamptz and minute < ${to}::timestamptz)
          or hourly and minute >= ${early}::timestamptz and minute < ${late}::timestamptz)
        union all
        select caller, callee, count(*)::integer, (count(*) filter (where status = 2))::integer, sum(duration_nano),
          array[latency_bucket(duration_nano)], array[count(*)::integer]
        from generate_series(${rawFrom}::bigint, ${rawTo - 1}::bigint, ${MINUTE_MS}) as start_ms
        cross join calls_between((select key from environment), start_ms * 1000000, (start_ms + ${MINUTE_MS}) * 1000000)
        group by caller, callee, latency_bucket(duration_nano)
      ), edge as (
        select caller, callee, sum(calls) as calls, sum(errors) as errors, sum(duration_nano) as duration_nano from summed
        group by caller, callee order by calls desc, caller, callee limit ${MAX_EDGES}
      ), cell as (
        select caller, callee, bucket, sum(held.calls) as calls from summed cross join unnest(buckets, counts) as held(bucket, calls)
        group by caller, callee, bucket
      ), latencies as (
        select caller, callee, jsonb_agg(bucket) as buckets, jsonb_agg(calls) as counts from cell group by caller, callee
      )
      select (
          select coalesce(jsonb_agg(to_jsonb(edge) || jsonb_build_object('buckets', buckets, 'counts', counts)
            order by edge.calls desc, caller, callee), '[]')
          from edge join latencies using (caller, callee)
        ) as edges,
        (
          select coalesce(jsonb_agg(node order by service), '[]') from (
            select service, coalesce(sum(spans) filter (where entry), 0) as entries,
              coalesce(sum(spans) filter (where entry and status = 2), 0) as errors
            from (${spanSums(ctx.sql, instants)}) sums group by service
          ) node
        ) as nodes
    `,
  );
  const { nodes = [], edges = [] } = items[0] ?? {};
  const { foldedAt, evaluatedAt } = meta.freshness;
  const notes = foldedAt < evaluatedAt ? [...(meta.notes ?? []), UNCOUNTED] : meta.notes;
  const known = new Set(nodes.map(({ service }) => service));
  const others = new Set(
    edges.flatMap(({ caller, callee }) => [caller, callee]).filter((name) => !known.has(name)),
  );
  return {
    data: {
      nodes: [...nodes, ...[...others].map((service) => ({ service, entries: null, errors: null }))],
      edges: edges.map(({ caller, callee, calls, errors, duration_nano, ...latencies }) => ({
        ...{ caller, callee, calls, errors },
        meanMs: toMs(duration_nano / calls),
        p95Ms: percentileMs(latencies, 0.95) ?? 0,
      })),
    },
    meta: { ...meta, ...(notes !== undefined && { notes }) },
  };
}

/** The first minute in [from, to) with spans whose calls are still to be counted. By the keys of both tables. */
const firstUncounted = (sql: Sql, from: string, to: string): Fragment => sql`least(
  (select min(minute) from service_map_due where environment_key = environment.key
    and minute >= ${from}::timestamptz and minute < ${to}::timestamptz and due_at < minute + interval '15 minutes'),
  (select min(minute) from span_parts where environment_key = environment.key
    and minute >= ${from}::timestamptz and minute < ${to}::timestamptz))`;
