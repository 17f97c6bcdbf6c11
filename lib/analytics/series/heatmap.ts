import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { HeatmapCell, Report } from '../answers/schemas.ts';
import { asksForVisits, onlyTier } from '../reading/filters.ts';
import { type ReportInput, runReport } from '../reading/run-report.ts';
import type { SharedVisits } from '../reading/shared-visits.ts';
import { onlyLarge, sizeOfVisits } from '../reading/small-groups.ts';

/**
 * The visits that began in the range, by weekday and hour of the site's zone: all 168 cells, from Monday 0 o'clock on. Reads the rollups,
 * three rows per hour; with filters it scans the range's visits once by the index `visits_quarters`, and the cost grows with them.
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
      begun as (${asksForVisits(input) ? begunOfVisits(sql, input, visits) : begunOfRollups(sql, input)})
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

const weekdayAndHour = (sql: Sql): Fragment =>
  sql`extract(isodow from at)::integer as weekday, extract(hour from at)::integer as hour`;

/**
 * Imported days stand at their first hour, and nobody knows when their visits began. A site has no visits of its own on them. An hour is named by
 * its end: where clocks go forward by half an hour, its beginning lies in the hour before.
 */
const begunOfRollups = (sql: Sql, { tier }: ReportInput): Fragment => sql`
  select ${weekdayAndHour(sql)}, sum(visits) as visits
  from (
    select (r.hour + interval '59 minutes') at time zone timezone as at, r.visits
    from range
    join rollup_hours r using (site_key)
    where r.hour >= from_at and r.hour < to_at ${onlyTier(sql, tier)}
      and not exists (select from imported_days d where d.site_key = r.site_key and d.starts_at = r.hour)
  ) h
  group by 1, 2`;

const begunOfVisits = (sql: Sql, { narrowing }: ReportInput, visits: SharedVisits): Fragment => sql`
  select ${weekdayAndHour(sql)}, count(*) filter (where counted) as visits
  from (
    select started_at at time zone (select timezone from range) as at, counted, visitor_id
    from ${visits.kept('begun')}
    where inside
  ) v
  group by 1, 2 ${onlyLarge(sql, narrowing, sizeOfVisits(sql))}`;
