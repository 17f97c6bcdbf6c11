import * as v from 'valibot';
import type { Fragment, Sql } from '../db.ts';
import { Limit } from '../paging.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import { FilterText, isOneRange, ranged } from './question-schemas.ts';
import { resolveRange } from './telemetry-range.ts';

/** `statement`: calls of databases. `host`: calls of what sends no spans of its own. `version`: entries by `service.version`. */
export const SPAN_GROUPS = ['statement', 'host', 'version'] as const;
export type SpanGroups = (typeof SPAN_GROUPS)[number];

export const GroupSpans = v.pipe(
  v.strictObject({
    ...ranged,
    by: v.picklist(SPAN_GROUPS),
    service: v.optional(FilterText),
    /** Maximum number of groups. */
    limit: Limit(),
  }),
  isOneRange(),
);
export type GroupSpans = v.InferOutput<typeof GroupSpans>;

/** A group of spans of one service. Times are milliseconds. */
export interface SpanGroup {
  service: string;
  /** The statement, the host or the version; null: the service sends no version. */
  value: string | null;
  /** Of statements: `db.system.name`. */
  system: string | null;
  spans: number;
  /** Spans with status error. */
  errors: number;
  /** Errors divided by spans, 0 to 1. */
  errorRate: number;
  totalMs: number;
  meanMs: number;
  p95Ms: number;
  firstSeenAt: string;
  lastSeenAt: string;
  /** The newest failed one, or the slowest. */
  traceId: string;
}

/** Maximum number of spans that are examined, of any kind. */
export const MAX_EXAMINED = 150_000;

interface Row {
  /** When the newest span began that isn't examined; null: all of the range are. */
  since: string | null;
  groups: number;
  items: SpanGroup[];
}

/**
 * Spans of a range by what they asked, or by the version that answered, those with the most time first; versions by when they came last.
 * Of more than `MAX_EXAMINED` spans it examines the newest, and `notes` says since when. Throws `NOT_FOUND`, `VALIDATION_ERROR`.
 *
 * Reads spans twice by the index `spans_time`, the newest first: to find the last one that it examines, and those of the kind. 150,000 spans
 * take 1.5 s at most (1.7 million spans of 30 days, PostgreSQL 15, two shared cores). Whether a host sends spans itself is looked up for two
 * calls of each.
 */
export async function groupSpans(
  ctx: TelemetryContext,
  { by, service, limit, maxExamined = MAX_EXAMINED, ...asked }: GroupSpans & { maxExamined?: number },
): Promise<Answer<{ groups: SpanGroup[]; more: boolean }>> {
  const { sql } = ctx;
  const instants = resolveRange(asked, ctx.now());
  const { fromNano, toNano, fromDay, toDay } = instants;
  const { only, value, system } = PARTS(sql)[by];
  const order = by === 'version' ? sql`service, max_nano desc` : sql`duration_nano desc`;
  const isOutside = by !== 'host' ? sql`true` : hasNoSpans(sql);
  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    asked,
    { instants, signal: 'traces', filters: { by, service } },
    sql`
      with edge as materialized (
        select start_nano from spans
        where environment_key = (select key from environment) and day between ${fromDay}::date and ${toDay}::date
          and start_nano >= ${fromNano}::bigint and start_nano < ${toNano}::bigint
        order by start_nano desc offset ${maxExamined}::integer limit 1
      ), span as materialized (
        select trace_id, span_id, resource_id, day, start_nano, duration_nano, status, ${value} as value, ${system} as system
        from spans
        where environment_key = (select key from environment) and day between ${fromDay}::date and ${toDay}::date
          and start_nano > coalesce((select start_nano from edge), ${fromNano}::bigint - 1) and start_nano < ${toNano}::bigint and ${only}
          and (${service ?? null}::text is null or resource_id in (
            select id from otlp_resources where environment_key = (select key from environment) and service = ${service ?? null}))
      ), named as (
        select span.*, resource.service,
          ${by === 'version' ? sql`resource.attributes ->> 'service.version'` : sql`left(span.value, 256)`} as label
        from span join otlp_resources resource
          on resource.environment_key = (select key from environment) and resource.id = span.resource_id
      ), summed as (
        select service, label, system, count(*) as spans, count(*) filter (where status = 2) as errors, sum(duration_nano) as duration_nano,
          percentile_disc(0.95) within group (order by duration_nano) as p95_nano, min(start_nano) as min_nano, max(start_nano) as max_nano,
          (array_agg(trace_id order by (status = 2) desc, case when status = 2 then start_nano else duration_nano end desc))[1] as example,
          array[(array_agg(trace_id order by start_nano))[1], (array_agg(trace_id order by start_nano desc))[1]] as traces,
          array[(array_agg(span_id order by start_nano))[1], (array_agg(span_id order by start_nano desc))[1]] as ids
        from named group by service, label, system
      ), kept as (select * from summed where ${isOutside})
      select (select iso_of_nano(start_nano) from edge) as since,
        (select count(*) from kept) as groups, (
          select coalesce(jsonb_agg(jsonb_build_object('service', service, 'value', label, 'system', system, 'spans', spans, 'errors', errors,
              'errorRate', round(errors::numeric / spans, 4), 'totalMs', round(duration_nano / 1000000, 1),
              'meanMs', round(duration_nano / spans / 1000000, 3), 'p95Ms', round(p95_nano / 1000000.0, 3),
              'firstSeenAt', iso_of_nano(min_nano), 'lastSeenAt', iso_of_nano(max_nano), 'traceId', trace_id_text(example))), '[]')
          from (select * from kept order by ${order}, label limit ${limit}) shown
        ) as items
    `,
  );
  const { since = null, groups = 0, items: shown = [] } = items[0] ?? {};
  const notes = [`Of the newest ${maxExamined} spans, since ${since}: ask for a shorter range.`];
  return {
    data: { groups: shown, more: groups > shown.length },
    meta: { ...meta, ...(since !== null && { notes }) },
  };
}

const CLIENT = 3;

interface Parts {
  /** The condition on `spans`. */
  only: Fragment;
  value: Fragment;
  system: Fragment;
}

/** Attributes of the semantic conventions, the newer one first. */
const PARTS = (sql: Sql): Record<SpanGroups, Parts> => {
  const system = sql`coalesce(attributes ->> 'db.system.name', attributes ->> 'db.system')`;
  const host = sql`coalesce(attributes ->> 'server.address', attributes ->> 'net.peer.name', attributes ->> 'http.host')`;
  return {
    statement: {
      only: sql`kind = ${CLIENT} and ${system} is not null`,
      value: sql`coalesce(attributes ->> 'db.query.summary', attributes ->> 'db.query.text', attributes ->> 'db.statement', name)`,
      system,
    },
    host: {
      only: sql`kind = ${CLIENT} and ${system} is null and ${host} is not null`,
      ...{ value: host, system: sql`null::text` },
    },
    version: {
      only: sql`(kind in (2, 5) or parent_span_id is null)`,
      ...{ value: sql`null::text`, system: sql`null::text` },
    },
  };
};

/** Whether neither the first nor the newest call of a group has a span in another service. By the primary key of `spans`. */
const hasNoSpans = (sql: Sql): Fragment => sql`not exists (
  select from unnest(traces, ids) as call(of_trace, of_span)
  join spans answer on answer.environment_key = (select key from environment) and answer.trace_id = of_trace
    and answer.parent_span_id = of_span
  join otlp_resources other on other.environment_key = (select key from environment) and other.id = answer.resource_id
  where other.service <> summed.service)`;
