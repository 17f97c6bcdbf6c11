import type { ReportContext } from '../context.ts';
import type { RetentionItem } from './behaviour-schemas.ts';
import { keepVisits } from './filters.ts';
import { looseBounds } from './range.ts';
import { type ListInput, type ListReport, onlyTier, pageOfRows, runList } from './report.ts';

type Row = Omit<RetentionItem, 'week'> & { week: Date };

/**
 * Visitors by the week of their first visit ever, and how many of them came back in each later week of the range. Tier 3
 * only: other ids last a day at most. Filters are about the first visit; whatever visit comes later is a return. Weeks are
 * those of ISO 8601 in the site's zone, every one that the range touches and that has begun.
 *
 * Scans the range's visits once by the index `visits_time`, and asks `visits_visitor` for each visitor once whether there was
 * a visit before, up to 400 days back: the tracker keeps an id for 395.
 */
export async function reportRetention(
  ctx: ReportContext,
  input: ListInput,
): Promise<ListReport<RetentionItem>> {
  const { sql } = ctx;
  const { tier, filters = [] } = input;
  const list = await runList<Row>(ctx, { ...input, tiers: [3] }, ({ range, now }) => {
    const { after, before } = looseBounds(input.range, now);
    const present = sql`${new Date(now).toISOString()}::timestamptz`;
    return sql`
      with range as materialized (${range}),
      weeks as materialized (
        select week, local_day((week + interval '12 hours') at time zone timezone, timezone) as start_at
        from range
        cross join generate_series(
          date_trunc('week', from_at at time zone timezone),
          least(to_at - interval '1 second', ${present}) at time zone timezone,
          interval '7 days') week
        where from_at <= ${present}
      ),
      seen as materialized (
        select visitor_id, started_at, date_trunc('week', started_at at time zone timezone) as week,
          true ${keepVisits(sql, filters)} as is_kept
        from range
        join visits using (site_key)
        where duration_ms >= 0 and tier = 3 ${onlyTier(sql, tier)}
          and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= from_at and started_at < to_at
          and is_seen(counted, continued, entry_page, custom_events)
      ),
      firsts as materialized (
        select distinct on (visitor_id) visitor_id, week, is_kept from seen order by visitor_id, started_at
      ),
      cohorts as materialized (
        select visitor_id, week as first_week
        from range
        cross join firsts
        where is_kept and not exists (
          select from visits v
          where v.site_key = range.site_key and v.tier = 3 and v.visitor_id = firsts.visitor_id
            and v.started_at < range.from_at and v.started_at >= ${after}::timestamptz - interval '400 days'
            and is_seen(v.counted, v.continued, v.entry_page, v.custom_events))
      ),
      counts as materialized (
        select first_week, week, count(distinct visitor_id)::float8 as visitors
        from cohorts
        join seen using (visitor_id)
        group by first_week, week
      )
      select start_at as week,
        coalesce((select visitors from counts where first_week = weeks.week and week = weeks.week), 0) as visitors,
        array(
          select coalesce(visitors, 0)
          from weeks later
          left join counts on first_week = weeks.week and counts.week = later.week
          where later.week > weeks.week
          order by later.week
        ) as returned
      from weeks
      order by start_at
      ${pageOfRows(sql, input)}`;
  });
  return { ...list, data: list.data.map((row) => ({ ...row, week: row.week.toISOString() })) };
}
