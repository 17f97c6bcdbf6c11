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
   */
  kept(which: Which): Fragment;
  /**
   * The visits that began in the range and in which somebody was seen, by their entry of a dictionary: `id, tier, counted, visitor_id,
   * kept, views`. One row for each visitor of an entry and one for all visits without a visitor. `kept` counts the visits.
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
      select ${id} as id, tier, counted, visitor_id, count(*) as kept, sum(views) as views
      from shared_visits where inside and seen
      group by ${id}, tier, counted, visitor_id`;
    return sql`,
      shared_visits as materialized (${selectVisits(sql, input, now, { which: this.#which, of: 'range' })}),
      visits_by_profile as materialized (${groups(sql`profile_id`)}),
      visits_by_place as materialized (${groups(sql`place_id`)}),
      visits_by_origin as materialized (${groups(sql`origin_id`)})`;
  }
}

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
    select v.*, started_at >= ${from} as inside, is_seen(counted, continued, entry_page, custom_events) as seen,
      ${countPages(sql)} as views
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
