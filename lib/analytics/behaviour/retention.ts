import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { RetentionItem } from '../answers/behaviour-schemas.ts';
import { isSealable, keepVisits, onlyTier } from '../reading/filters.ts';
import { endsWithBucket, inQuarters, looseBounds } from '../reading/report-range.ts';
import {
  type ListInput,
  type ListReport,
  pageOfRows,
  type ReportParts,
  runList,
} from '../reading/run-report.ts';
import { SMALLEST_GROUP } from '../reading/small-groups.ts';
import { blocksAndRaw } from '../sums/blocks.ts';

type Row = Omit<RetentionItem, 'week'> & { week: Date };

/**
 * Visitors by the week of their first visit ever, and how many of them came back in each later week of the range, and in any. Tier 3 only, because
 * other ids last at most a day. Filters apply to the first visit; every later visit counts as a return. Weeks are those of ISO 8601 in
 * the site's zone, every one that the range touches and that has begun.
 *
 * Sums sealed days, which have each visitor's first visit. With filters, and of other days, it scans the visits once by the index
 * `visits_quarters`, and looks up once per visitor, by `visits_by_visitor`, whether there was an earlier visit. It looks back 400 days,
 * because the tracker keeps an id for 395.
 */
export async function reportRetention(
  ctx: ReportContext,
  input: ListInput,
): Promise<ListReport<RetentionItem>> {
  const { sql } = ctx;
  const list = await runList<Row>(ctx, { ...input, tiers: [3] }, (parts) => {
    const present = sql`${new Date(parts.now).toISOString()}::timestamptz`;
    return sql`
      with range as materialized (${parts.range}),
      weeks as materialized (
        select week, local_day((week + interval '12 hours') at time zone timezone, timezone) as start_at
        from range
        cross join generate_series(
          date_trunc('week', from_at at time zone timezone),
          least(to_at - interval '1 second', ${present}) at time zone timezone,
          interval '7 days') week
        where from_at <= ${present}
      )
      ${isSealable(input) && input.tier !== 1 && input.tier !== 2 ? countSealed(sql, input, parts) : countVisits(sql, input, parts)}
      select start_at as week,
        coalesce((select visitors from counts where first_week = weeks.week and week = weeks.week), 0) as visitors,
        array(
          select coalesce(visitors, 0)
          from weeks later
          left join counts on first_week = weeks.week and counts.week = later.week
          where later.week > weeks.week
          order by later.week
        ) as returned,
        coalesce((select visitors from counts where first_week = weeks.week and week is null), 0) as "cameBack"
      from weeks
      order by start_at
      ${pageOfRows(sql, input)}`;
  });
  const { range, freshness } = list.meta;
  const isPartial = range.to > freshness.evaluatedAt || !endsWithBucket(range, 'week');
  const weeks = list.data.map(
    (row): RetentionItem => ({
      ...row,
      week: row.week.toISOString(),
      ...(isPartial && { partial: true }),
    }),
  );
  return { ...list, data: input.narrowing === undefined ? weeks : withoutSmallWeeks(weeks) };
}

/** Leaves out weeks with too few visitors, and numbers of returns that are too small. Here each visitor is a person. */
const withoutSmallWeeks = (weeks: readonly RetentionItem[]): RetentionItem[] =>
  weeks
    .filter(({ visitors }) => visitors >= SMALLEST_GROUP)
    .map(({ returned, cameBack, ...week }) => ({
      ...week,
      returned: returned.map(orNull),
      cameBack: orNull(cameBack),
    }));

const orNull = (count: number | null): number | null =>
  count !== null && count >= SMALLEST_GROUP ? count : null;

/**
 * A visitor counts in a week by their first day of the week in the range, whether this day is sealed or not; and in no week (null), once, by
 * the first day in a later week than that of the first visit: the day before it with a visit is in the week of the first visit.
 */
function countSealed(sql: Sql, input: ListInput, { now }: ReportParts): Fragment {
  return sql`
    ${blocksAndRaw(sql, { ...input, tier: 3 }, now, 'days')},
    packs as (
      select r.*, date_trunc('week', r.bucket::timestamp) as week,
        r.bucket - greatest(date_trunc('week', r.bucket::timestamp)::date, from_day, known_day) as passed
      from days
      cross join blocks b
      join rollup_values r on r.site_key = days.site_key and r.bucket = b.bucket and r.span = b.span
        and r.dimension = dimension_number('cohort')
    ),
    raw_weeks as materialized (
      select visitor_id, date_trunc('week', started_at at time zone timezone) as week, min(started_at) as at,
        bool_or(is_new) as is_new
      from raw cross join days
      where started_at >= x and started_at < y and seen
      group by 1, 2
    ),
    earlier as materialized (
      select who.visitor_id, p.started_at, p.started_at at time zone timezone as local_at
      from (select visitor_id, max(at) as at from raw_weeks group by visitor_id having not bool_or(is_new)) who
      cross join days
      cross join lateral (
        select p.started_at from visits p
        where p.site_key = days.site_key
          and p.visitor_id = who.visitor_id and p.tier = 3
          and p.started_at < who.at and p.started_at >= from_at - interval '400 days'
          and is_seen(p.counted, p.continued, p.entry_page, p.custom_events, p.consent_page)
        offset 0
      ) p
    ),
    raw_firsts as (
      select visitor_id, min(local_at) as local_at
      from (
        select visitor_id, at at time zone timezone as local_at from raw_weeks cross join days
        union all select visitor_id, local_at from earlier
      ) v
      group by visitor_id
    ),
    counts as materialized (
      select date_trunc('week', first_day::timestamp) as first_week, week, sum(visitors)::float8 as visitors
      from (
        select date '2001-01-01' + v.value as first_day, week, v.visitors
        from packs cross join lateral unnest(value, visitors_3) as v(value, visitors)
        union all
        select date '2001-01-01' + g.value, week, -g.returned
        from packs cross join lateral unnest(gap_value, gap, returned) as g(value, gap, returned)
        where g.gap <= passed
        union all
        select first_day, null, g.returned
        from packs cross join lateral unnest(gap_value, gap, returned) as g(value, gap, returned)
        cross join lateral (select date '2001-01-01' + g.value as first_day) f
        where week > date_trunc('week', first_day::timestamp)
          and bucket - g.gap < date_trunc('week', first_day::timestamp)::date + 7
        union all
        select local_at::date, null, 1
        from (
          select visitor_id, local_at, min(at) as at
          from raw_weeks join raw_firsts using (visitor_id)
          where week > date_trunc('week', local_at)
          group by visitor_id, local_at
        ) r
        where not exists (
          select from earlier e
          where e.visitor_id = r.visitor_id and e.started_at < r.at
            and date_trunc('week', e.local_at) > date_trunc('week', r.local_at))
        union all
        select first.local_at::date, r.week, 1
        from raw_weeks r join raw_firsts first using (visitor_id)
        where not exists (
          select from earlier e cross join days
          where e.visitor_id = r.visitor_id and e.started_at < r.at and e.started_at >= from_at
            and date_trunc('week', e.local_at) = r.week)
      ) part
      where first_day >= (select from_day from days)
      group by 1, 2
    )`;
}

function countVisits(sql: Sql, { tier, filters = [], range }: ListInput, { now }: ReportParts): Fragment {
  const { after, before } = looseBounds(range, now);
  return sql`,
    seen as materialized (
      select visitor_id, started_at, date_trunc('week', started_at at time zone timezone) as week,
        true ${keepVisits(sql, filters)} as is_kept
      from range
      join visits using (site_key)
      where profile_id > 0 and tier = 3 ${onlyTier(sql, tier)}
        and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
        and started_at >= from_at and started_at < to_at ${inQuarters(sql, sql`from_at`, sql`to_at`)}
        and is_seen(counted, continued, entry_page, custom_events, consent_page)
    ),
    -- One row a visitor: without statistics the planner takes any of these tables for a row, and joins two of them row by row.
    firsts as materialized (
      select visitor_id, array_agg(distinct week) as weeks, min(week) as first_week,
        (array_agg(is_kept order by started_at))[1] as is_kept
      from seen
      group by visitor_id
    ),
    counts as materialized (
      select first_week, week, count(*)::float8 as visitors
      from range
      cross join (select * from firsts where is_kept offset 0) firsts
      left join lateral (
        select true as is_known from visits v
        where v.site_key = range.site_key
          and v.visitor_id = firsts.visitor_id and v.tier = 3
          and v.started_at < range.from_at and v.started_at >= ${after}::timestamptz - interval '400 days'
          and is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
        limit 1
      ) earlier on true
      cross join lateral (
        select unnest(weeks) as week union all select null where cardinality(weeks) > 1
      ) came
      where is_known is null
      group by first_week, week
    )`;
}
