import type { Fragment, Sql } from '../../db.ts';
import type { Tier } from '../answers/schemas.ts';
import { type Filter, filtersTowards, keepVisits, onlyTier } from '../reading/filters.ts';
import { inQuarters, looseBounds, type Range } from '../reading/report-range.ts';
import { selectFilter } from './filter-clauses.ts';

interface Asked {
  range: Range;
  tier?: Tier | undefined;
  filters?: readonly Filter[] | undefined;
}

/** Which sealed days a report may use: any blocks, single days, or those that were sealed with the present goals and funnels of the site. */
type DaysOf = 'blocks' | 'days' | 'targets';

/** The visits of the site that the partitions of the range have. */
function bounded(sql: Sql, { range, tier }: Asked, now: number): Fragment {
  const { after, before } = looseBounds(range, now);
  return sql`
    v.site_key = (select site_key from range) and v.profile_id > 0
    and v.started_at >= ${after}::timestamptz and v.started_at < ${before}::timestamptz ${onlyTier(sql, tier)}`;
}

/**
 * Tables for a statement with `range` (the fragment begins with a comma). `blocks` (`span, bucket, passed`) has the largest sealed blocks
 * of days (schema/migrations/0007-sealed.sql) in the range; `passed` selects the returning visitors who were in the range before the
 * block. `windows` has the days [x, y) that aren't sealed, aren't over at their seal or aren't whole in the range, and since when their visits are in no block. With
 * filters these are the blocks that are summed for the filters (schema/migrations/0054-site-filters.sql), and for those of `alsoOf`.
 *
 * A range of 90 days has some 25 blocks.
 */
export function sealedBlocks(
  sql: Sql,
  asked: Asked & { alsoOf?: readonly Filter[] },
  now: number,
  daysOf: DaysOf = 'blocks',
): Fragment {
  const present = sql`${new Date(now).toISOString()}::timestamptz`;
  const known = {
    blocks: sql``,
    days: sql`and s.span = 1`,
    targets: sql`and s.span = 1 and s.targets = (select targets from site_seals where site_key = s.site_key)`,
  }[daysOf];
  const { filters = [], alsoOf = [] } = asked;
  const summedFor = (some: readonly Filter[]): Fragment => sql`
        select site_key, span, bucket, seal from filter_seals
        where site_key = (select site_key from range) and filter = (${selectFilter(sql, some)})`;
  const summed =
    filters.length === 0
      ? sql``
      : sql`join (
        ${summedFor(filters)} ${alsoOf.length === 0 ? sql`` : sql`intersect ${summedFor(alsoOf)}`}
      ) summed using (site_key, span, bucket, seal)`;
  return sql`,
    days as materialized (
      select (from_at at time zone timezone)::date as from_day, (to_at at time zone timezone)::date as to_day,
        ((to_at - interval '1 microsecond') at time zone timezone)::date as last_day,
        (${present} at time zone timezone)::date as today, timezone, site_key, from_at, to_at,
        -- Of what was before it nothing is known any more, nor who returned from there.
        (
          select (v.started_at at time zone timezone)::date from visits v
          where ${bounded(sql, asked, now)} and v.started_at >= from_at and quarter_hour(v.started_at) >= from_at
          order by quarter_hour(v.started_at) limit 1
        ) as known_day
      from range
    ),
    seals as materialized (
      select s.span, s.bucket, s.until, day_start(s.bucket, timezone) as start_at, day_start(s.bucket + 1, timezone) as end_at
      from days join sealed_days s using (site_key) ${summed}
      where s.ready and s.bucket >= from_day and s.bucket + s.span <= to_day ${known}
    ),
    valid as materialized (
      select span, bucket from seals b
      where span = (select count(*) from seals d where d.span = 1 and d.bucket >= b.bucket and d.bucket < b.bucket + b.span)
    ),
    blocks as materialized (
      select span, bucket, (bucket - coalesce(greatest(known_day, from_day), from_day))::smallint as passed
      from days cross join valid b
      where not exists (
        select from valid w where w.span > b.span and w.bucket <= b.bucket and w.bucket + w.span > b.bucket)
    ),
    windows as materialized (
      select day_start(min(day), timezone) as x, least(day_start(max(day) + 1, timezone), to_at) as y,
        day_start(min(day), timezone) - interval '1 day' as since, true as whole
      from (
        select day, timezone, to_at, day - row_number() over (order by day)::integer as run
        from days cross join lateral (
          select from_day + n as day from generate_series(0, least(last_day, today) - from_day) n
        ) d
        where not exists (select from seals where span = 1 and bucket = day)
      ) loose
      group by run, timezone, to_at
      union all
      select start_at, end_at, until, false from seals where span = 1 and until < end_at
    )`;
}

/**
 * Tables `goal_blocks` and `goal_windows` for a statement with `range` (the fragment begins with a comma): `blocks` and `windows` of
 * `sealedBlocks` for the visits towards a goal and for those that reach it (`filtersTowards`).
 */
export function goalBlocks(sql: Sql, asked: Asked, now: number, goal: string): Fragment {
  const { others, reaching } = filtersTowards(goal, asked.filters);
  return sql`,
    goal_days as materialized (
      with this as (select) ${sealedBlocks(sql, { ...asked, filters: reaching, alsoOf: others }, now)}
      select span, bucket, passed, null::timestamptz as x, null::timestamptz as y, null::timestamptz as since, null::boolean as whole
      from blocks
      union all
      select null, null, null, x, y, since, whole from windows
    ),
    goal_blocks as (select span, bucket, passed from goal_days where span is not null),
    goal_windows as (select x, y, since, whole from goal_days where span is null)`;
}

/**
 * Selects the visits that are in no block, for a statement with `sealedBlocks`, each with the window [x, y) of days in which its hits are
 * in none: visits of days that aren't sealed, and visits of sealed days that began after sealing or were open then. `columns` are those of
 * `v` for a window. With `windows` of `goalBlocks`, they are those that are in none of its blocks.
 *
 * Reads the visits of the windows once, by `visits_quarters`.
 */
export function selectUnsealed(
  sql: Sql,
  asked: Asked,
  now: number,
  columns: (x: Fragment, y: Fragment) => Fragment,
  windows?: Fragment,
): Fragment {
  const { filters = [] } = asked;
  const from = windows ?? sql`windows`;
  const end = sql`visit_time(v.started_at, v.duration_ms)`;
  const ofWindow = columns(sql`x`, sql`y`);
  return sql`
    select ${ofWindow}, x, y
    from ${from} cross join lateral (
      select * from visits v
      where ${bounded(sql, asked, now)} and v.started_at >= since and v.started_at < y ${inQuarters(sql, sql`since`, sql`y`)}
        ${keepVisits(sql, filters)}
      offset 0
    ) v
    where v.started_at >= x or ${end} >= x
    union all
    select ${ofWindow}, x, y
    from ${from} cross join lateral (
      select * from visits v
      where v.site_key = (select site_key from range) and v.duration_ms >= 86400000 ${onlyTier(sql, asked.tier)}
        and v.started_at < since and v.started_at >= since - longest_visit() and ${end} >= x
        ${keepVisits(sql, filters)}
      offset 0
    ) v
    where whole
    ${filters.length > 0 || windows !== undefined ? sql`` : openVisits(sql, asked, columns)}`;
}

/** The visits that were open when their day was sealed. For filters only days without are summed. */
const openVisits = (sql: Sql, asked: Asked, columns: (x: Fragment, y: Fragment) => Fragment): Fragment => sql`
    union all
    select ${columns(sql`start_at`, sql`end_at`)}, start_at, end_at
    from seals
    join open_visits o on o.site_key = (select site_key from range) and o.day = bucket
    join visits v on v.site_key = o.site_key and v.visitor_id = o.visitor_id
      and v.tier = o.tier and v.started_at = o.started_at
    where span = 1 ${asked.tier === undefined ? sql`` : sql`and o.tier = ${asked.tier}::smallint`}`;

/** True of a visit `v` whose visitor no block has: it is the visitor's first visit, and it began after everything that is sealed. */
export const isNew = (sql: Sql): Fragment =>
  sql`coalesce(v.newcomer and v.started_at >= coalesce((select max(until) from seals), '-infinity'), false)`;

/**
 * The tables of `sealedBlocks` and `raw`, the visits of `selectUnsealed` with their number `visit`. `seen`: somebody was on the site.
 * `is_new`: as `isNew`.
 */
export function blocksAndRaw(sql: Sql, asked: Asked, now: number, daysOf: DaysOf): Fragment {
  const columns = () => sql`
    v.started_at, v.visitor_id, v.tier, v.continued, v.counted, v.entry_ms, v.entry_page, v.later_pages, v.custom_events,
    v.event_data, v.page_data, v.consent_page, v.profile_id, v.place_id, v.origin_id,
    is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page) as seen, ${isNew(sql)} as is_new`;
  return sql`
    ${sealedBlocks(sql, asked, now, daysOf)},
    raw as materialized (
      select row_number() over () as visit, v.* from (${selectUnsealed(sql, asked, now, columns)}) v
    )`;
}

/**
 * Selects the visits in which visitors were seen before, in the range, for a statement with `sealedBlocks`. `who` selects `tier, visitor_id,
 * at`: up to when, one row for each visitor. Only visits that the filters keep. Looks each of them up once by `visits_by_visitor`, in the partitions of the range.
 */
export const earlierVisits = (sql: Sql, who: Fragment, filters: readonly Filter[] = []): Fragment => sql`
  select p.*
  from (${who}) who
  cross join lateral (
    select * from visits p
    where p.site_key = (select site_key from range)
      and p.visitor_id = who.visitor_id and p.tier = who.tier
      and p.started_at >= (select from_at from range) - longest_visit() and p.started_at <= who.at
      -- Sessions go by the day's hash: no other month has any of theirs.
      and p.started_at >= case who.tier when 2 then who.at - interval '3 days' else '-infinity' end
      and is_seen(p.counted, p.continued, p.entry_page, p.custom_events, p.consent_page) ${keepVisits(sql, filters)}
    offset 0
  ) p
  where who.at >= (select day_start(min(bucket), min(timezone)) from blocks cross join days)`;
