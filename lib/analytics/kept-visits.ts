/**
 * The visits that filters keep, read once for all reports of a request that are about the same visits. Such reports are one statement:
 * the tables here stand at its beginning, and each report is a part of it.
 */
import type { Sql } from '../db.ts';
import type { Dictionary } from './dimensions.ts';
import { type Filter, keepVisits } from './filters.ts';
import { type Fragment, inQuarters, looseBounds, looseBoundsBefore, type Range } from './range.ts';
import type { Tier } from './schemas.ts';
import { countPages } from './visit-pages.ts';

/** `begun`: visits that began in the range. `lasting`: also those that began before and lasted into it. */
type Which = 'begun' | 'lasting';

/** The tables of visits that several reports share. Each method returns a table for `from`, and so says that the statement needs it. */
export interface SharedVisits {
  /**
   * The visits, each with all that it did. `inside`: it began in the range. `seen`: somebody was on the site. `views`: its page views.
   * `repeat_id`: its visitor, if the visitor has other visits here. So distinct visitors are those, and one for each visit that is `alone`.
   */
  kept(which: Which): Fragment;
  /**
   * The visits that began in the range and in which somebody was seen, by their entry of a dictionary, in `groupedVisits`: `id, tier,
   * counted` and its columns.
   */
  grouped(dictionary: Dictionary): Fragment;
}

interface Kept {
  range: Range;
  tier?: Tier | undefined;
  filters?: readonly Filter[] | undefined;
}

/** Collects what reports need of shared visits, and then has the tables for the beginning of their statement. */
export class VisitTables implements SharedVisits {
  /** How often a report asked for a table. */
  uses = 0;
  #which: Which = 'begun';

  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  kept(which: Which): Fragment {
    this.uses += 1;
    if (which === 'lasting') this.#which = which;
    return this.#sql`shared_visits`;
  }

  grouped(dictionary: Dictionary): Fragment {
    this.uses += 1;
    return {
      profile: this.#sql`visits_by_profile`,
      place: this.#sql`visits_by_place`,
      origin: this.#sql`visits_by_origin`,
    }[dictionary];
  }

  /** The tables for a statement with `range`; the fragment begins with a comma. PostgreSQL leaves out those that no report reads. */
  tables(input: Kept, now: number): Fragment {
    const sql = this.#sql;
    const groups = (id: Fragment): Fragment => sql`
      select ${id} as id, tier, counted, repeat_id, sum(visits)::integer as visits, sum(views)::integer as views,
        sum(alone)::integer as alone, sum(unknown)::integer as unknown
      from visits_by_entries group by ${id}, tier, counted, repeat_id`;
    return sql`,
      read_visits as materialized (${selectVisits(sql, input, now, { which: this.#which, of: 'range' })}),
      repeaters as materialized (
        select visitor_id from read_visits where visitor_id is not null group by visitor_id having count(*) > 1
      ),
      shared_visits as not materialized (
        select *, visitor_id is not null and repeat_id is null as alone
        from (
          select *, case when visitor_id in (select visitor_id from repeaters) then visitor_id end as repeat_id
          from read_visits
        ) v
      ),
      visits_by_entries as materialized (
        select profile_id, place_id, origin_id, tier, counted, ${groupedVisits(sql)}
        from shared_visits where inside and seen
        group by profile_id, place_id, origin_id, tier, counted, repeat_id
      ),
      visits_by_profile as materialized (${groups(sql`profile_id`)}),
      visits_by_place as materialized (${groups(sql`place_id`)}),
      visits_by_origin as materialized (${groups(sql`origin_id`)})`;
  }
}

/**
 * The columns of groups of `SharedVisits.kept` by `repeat_id`: how many of the visits are counted, their page views, those that are alone,
 * and those without a visitor. There are few such groups, because most visitors come once.
 */
export const groupedVisits = (sql: Sql): Fragment => sql`
  repeat_id, (count(*) filter (where counted))::integer as visits, sum(views)::integer as views,
  (count(*) filter (where alone))::integer as alone, (count(*) filter (where visitor_id is null))::integer as unknown`;

/** The distinct visitors of such groups. */
export const visitorsOf = (sql: Sql): Fragment => sql`(coalesce(sum(alone), 0) + count(repeat_id))`;

/**
 * Selects the visits that filters keep of a range, or of the one before it, for a statement with `range`.
 *
 * Scans the range's visits once by the index `visits_quarters`, in the partitions of its months, and looks up those that lasted for days
 * by `visits_long`.
 */
export function selectVisits(
  sql: Sql,
  { range, tier, filters = [] }: Kept,
  now: number,
  { which, of }: { which: Which; of: 'range' | 'previous' },
): Fragment {
  const isPrevious = of === 'previous';
  const { after, before } = looseBounds(range, now, isPrevious);
  const earlier = looseBoundsBefore(range, now, isPrevious);
  const [from, to] = isPrevious
    ? [sql`(select previous_at from range)`, sql`(select from_at from range)`]
    : [sql`(select from_at from range)`, sql`(select to_at from range)`];
  const since = which === 'begun' ? from : sql`${from} - interval '1 day'`;
  const ends = sql`visit_time(started_at, duration_ms)`;
  const ofTier = tier === undefined ? sql`` : sql`and tier = ${tier}::smallint`;
  const columns = sql`
    started_at, visitor_id, duration_ms, entry_ms, entry_page, profile_id, place_id, origin_id, tier, continued, counted,
    later_pages, custom_events, event_data, page_data`;
  const lasted =
    which === 'begun'
      ? sql``
      : sql`
        and (started_at >= ${from} or ${ends} >= ${from})
        union all
        select ${columns}
        from visits
        where site_key = (select site_key from range) and duration_ms >= 86400000
          and started_at >= ${earlier.after}::timestamptz and started_at < ${earlier.before}::timestamptz
          and started_at >= ${from} - longest_visit() and started_at < ${since} and ${ends} >= ${from}`;
  return sql`
    -- What has no nulls and is often read stands first: a row is unpacked up to the last column that is read.
    select started_at, tier, counted, continued, profile_id, place_id, origin_id, started_at >= ${from} as inside,
      is_seen(counted, continued, entry_page, custom_events) as seen, ${countPages(sql)} as views, visitor_id, entry_page,
      duration_ms, entry_ms, later_pages, custom_events, event_data, page_data
    from (
      select ${columns}
      from visits
      where site_key = (select site_key from range) and profile_id > 0
        and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
        and started_at >= ${since} and started_at < ${to} ${inQuarters(sql, since, to)}
        ${lasted}
    ) v
    where true ${ofTier} ${keepVisits(sql, filters)}`;
}
