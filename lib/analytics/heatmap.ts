import type { ReportContext } from '../context.ts';
import { type ReportInput, runReport } from './report.ts';
import type { HeatmapCell, Report } from './schemas.ts';
import { onlyLarge, sizeOfVisits } from './small-groups.ts';

/**
 * The visits that began in the range, by weekday and hour of the site's zone: all 168 cells, from Monday 0 o'clock on. Scans the range's
 * visits once by the index `visits_quarters`, with filters or without: rollups have imported days at their first hour. The cost grows with
 * the visits.
 */
export async function reportHeatmap(ctx: ReportContext, input: ReportInput): Promise<Report<HeatmapCell[]>> {
  const { sql } = ctx;
  const { rows, meta } = await runReport<HeatmapCell>(
    ctx,
    input,
    ({ range, now, visits }) => sql`
      with range as materialized (${range}),
      elapsed as (
        select extract(isodow from at)::integer as weekday, extract(hour from at)::integer as hour, count(*) as hours
        from range
        cross join lateral generate_series(
          from_at, least(to_at, ${new Date(now).toISOString()}::timestamptz) - interval '1 microsecond', interval '1 hour') point
        cross join lateral (select point at time zone timezone as at) local
        group by 1, 2
      ),
      begun as (
        select extract(isodow from at)::integer as weekday, extract(hour from at)::integer as hour,
          count(*) filter (where counted) as visits
        from (
          select started_at at time zone (select timezone from range) as at, counted, visitor_id
          from ${visits.kept('begun')}
          where inside
        ) v
        group by 1, 2 ${onlyLarge(sql, input.narrowing, sizeOfVisits(sql))}
      )
      select weekday, hour, coalesce(visits, 0)::float8 as visits, coalesce(hours, 0)::integer as hours
      from generate_series(1, 7) weekday
      cross join generate_series(0, 23) hour
      left join elapsed using (weekday, hour)
      left join begun using (weekday, hour)
      where exists (select from range) and (${input.narrowing === undefined}::boolean or visits is not null)
      order by weekday, hour`,
  );
  return { data: rows, meta };
}
