import { shownFilters } from '../attribute-terms.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from '../query-telemetry.ts';
import { resolveRange } from '../telemetry-range.ts';
import { metricMembers } from './metric-members.ts';
import type { Exemplar, ExemplarsMeta, ListExemplars } from './metric-schemas.ts';

/** About how many points are looked at, of all series together; of each series at least 2. */
const MAX_POINTS = 20_000;

interface Item {
  exemplars: Exemplar[];
  examined: number;
  /** Null: every point of the range was looked at. */
  uncounted: string | null;
}

/**
 * The newest exemplars of a metric's points in a range. Throws `NOT_FOUND`, `VALIDATION_ERROR`. Looks at the newest points of each series,
 * by the primary key of metric_points, about 20,000 in all; the series as `readMetric` finds them.
 */
export async function listExemplars(
  ctx: TelemetryContext,
  { maxPoints = MAX_POINTS, limit, ...asked }: ListExemplars & { maxPoints?: number },
): Promise<Answer<Exemplar[], ExemplarsMeta>> {
  const instants = resolveRange(asked, ctx.now());
  const { name, service, type, unit, attributes, resource } = asked;
  const { sql } = ctx;
  const { items, meta } = await queryTelemetry<Item>(
    ctx,
    asked,
    {
      instants,
      signal: 'metrics',
      filters: shownFilters({ name, service, type, unit, attributes, resource }),
    },
    sql`
      with ${metricMembers(sql, instants, { ...asked, groupBy: ['service'] })}, share as materialized (
        select greatest(2, ${maxPoints}::integer / greatest(1, count(*)))::integer as points from member
      ), looked_at as materialized (
        select member.id, member.labels[1] as service, point.* from member
        cross join lateral (
          select time_nano, exemplars from metric_points p
          where p.environment_key = (select key from environment) and p.series_id = member.id
            and day between ${instants.fromDay}::date and ${instants.toDay}::date
            and time_nano >= ${instants.fromNano}::bigint and time_nano < ${instants.toNano}::bigint
          order by time_nano desc limit (select points from share)
        ) point
      ), listed as (
        select id, service, exemplar, coalesce(nullif((exemplar ->> 'timeNano')::bigint, 0), time_nano) as nano
        from looked_at cross join lateral jsonb_array_elements(exemplars) as exemplar
        order by nano desc, id, exemplar limit ${limit}
      )
      select (select count(*) from looked_at) as examined,
        (select max(oldest)::text from (
          select min(time_nano) as oldest from looked_at group by id having count(*) >= (select points from share)) ended) as uncounted,
        (select coalesce(jsonb_agg(jsonb_build_object('time', iso_of_nano(nano), 'value', exemplar -> 'value', 'service', service,
            'attributes', s.attributes, 'filteredAttributes', exemplar -> 'attributes',
            'traceId', exemplar -> 'traceId', 'spanId', exemplar -> 'spanId') order by nano desc, listed.id, exemplar), '[]')
          from listed join metric_series s on s.environment_key = (select key from environment) and s.id = listed.id) as exemplars
    `,
  );
  const [{ exemplars, examined, uncounted }] = items as [Item];
  const from =
    uncounted === null ? meta.range.from : new Date(Math.ceil(Number(uncounted) / 1e6)).toISOString();
  return { data: exemplars, meta: { ...meta, examined, searchedFrom: from } };
}
