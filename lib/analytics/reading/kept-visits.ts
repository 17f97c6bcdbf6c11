/**
 * The visits that filters keep, read once for all reports of a request that are about the same visits. Such reports are one statement:
 * the tables here stand at its beginning, and each report is a part of it.
 *
 * A further visit costs each report one step of an aggregate with few groups. Visitors are counted in two parts: the visits that have one,
 * less the further visits of those who came several times (`repeatsBy`). So only the visits of these are grouped by visitor.
 */
import type { Fragment, Sql } from '../../db.ts';
import { type Edge, edgeOf } from '../../visits/dimension-sql.ts';
import type { Dictionary } from '../../visits/dimensions.ts';
import type { Tier } from '../answers/schemas.ts';
import { type Filter, keepVisits } from './filters.ts';
import { inQuarters, looseBounds, looseBoundsBefore, type Range } from './report-range.ts';
import { countPages } from './visit-pages.ts';

/** `begun`: visits that began in the range. `lasting`: also those that began before and lasted into it. */
type Which = 'begun' | 'lasting';

/**
 * What the visits are summed up by: the entry of a dictionary, the page on which they began or ended, or the `path` of their only page
 * view, if it was at their beginning.
 */
type SumsBy = Dictionary | Edge | 'path';

/** The tables of visits that several reports share. Each method returns a table for `from`, and so says that the statement needs it. */
export interface SharedVisits {
  /**
   * The visits, each with all that it did. `inside`: it began in the range. `whole`: it also ended in it. `seen`: somebody was on the
   * site. `views`: its page views.
   */
  kept(which: Which): Fragment;
  /** Those of them whose visitor has several. */
  repeated(which: Which): Fragment;
  /** `sumsOfVisits` of those that began in the range and in which somebody was seen, by `id`. For dictionaries also by `tier, counted`. */
  sums(by: SumsBy): Fragment;
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
  readonly #summedBy = new Set<SumsBy>();

  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  kept(which: Which): Fragment {
    this.uses += 1;
    if (which === 'lasting') this.#which = which;
    return this.#sql`shared_visits`;
  }

  repeated(which: Which): Fragment {
    this.kept(which);
    return this.#sql`repeated_visits`;
  }

  sums(by: SumsBy): Fragment {
    this.uses += 1;
    this.#summedBy.add(by);
    const id = IDS(this.#sql)[by];
    return this.#sql`(select *, ${id} as id from sums_of_visits where ${id} is not null)`;
  }

  /** The tables for a statement with `range`; the fragment begins with a comma. PostgreSQL leaves out those that no report reads. */
  tables(input: Kept, now: number): Fragment {
    const sql = this.#sql;
    return sql`,
      shared_visits as materialized (${selectVisits(sql, input, now, { which: this.#which, of: 'range' })}),
      repeaters as materialized (
        select visitor_id from shared_visits where visitor_id is not null group by visitor_id having count(*) > 1
      ),
      repeated_visits as materialized (
        select *
        from (
          -- In the list of a select it is one look-up for each visit, whatever the planner thinks of their number.
          select *, visitor_id in (select visitor_id from repeaters) as repeats from shared_visits
          where visitor_id is not null offset 0
        ) v
        where repeats
      ) ${this.#sums()}`;
  }

  /** One scan of the visits sums them up in all ways that reports ask for. */
  #sums(): Fragment {
    const sql = this.#sql;
    const asked = [...this.#summedBy];
    if (asked.length === 0) return sql``;
    const list = (parts: readonly Fragment[]) => parts.reduce((all, part) => sql`${all}, ${part}`);
    const ids = list(asked.map((by) => IDS(sql)[by]));
    const ofTiers = asked.some((by) => !isPage(by)) ? sql`tier, counted,` : sql``;
    const sets = list(
      asked.map((by) => (isPage(by) ? sql`(${IDS(sql)[by]})` : sql`(${IDS(sql)[by]}, tier, counted)`)),
    );
    const [entry, exit] = [edgeOf(sql, 'entry'), edgeOf(sql, 'exit')];
    return sql`,
      sums_of_visits as materialized (
        select ${ids}, ${ofTiers} ${sumsOfVisits(sql)}
        from (
          select profile_id, place_id, origin_id, tier, counted, views, visitor_id,
            case when true ${entry.only} then ${entry.page} end as entry_id,
            case when true ${exit.only} then ${exit.page} end as exit_id,
            case when ${isAtOnce(sql)} then entry_page end as path_id
          from shared_visits where inside and seen
        ) v
        group by grouping sets (${sets})
      )`;
  }
}

const isPage = (by: SumsBy): boolean => by === 'entry' || by === 'exit' || by === 'path';

/** Whether a visit has no page view but one at its beginning. */
export const isAtOnce = (sql: Sql): Fragment => sql`(later_pages is null and entry_ms is null)`;

const IDS = (sql: Sql): Record<SumsBy, Fragment> => ({
  profile: sql`profile_id`,
  place: sql`place_id`,
  origin: sql`origin_id`,
  entry: sql`entry_id`,
  exit: sql`exit_id`,
  path: sql`path_id`,
});

/**
 * The figures of a group of visits: how many of them are counted, all of them that have a visitor (`identified`) and that have none
 * (`unknown`), their page views, and those of visits without a visitor (`anonymous`).
 */
export const sumsOfVisits = (sql: Sql): Fragment => sql`
  count(*) filter (where counted) as visits, count(visitor_id) as identified, count(*) - count(visitor_id) as unknown,
  sum(views) as views, sum(views) filter (where visitor_id is null) as anonymous`;

/**
 * Selects the columns `by` and `repeats`: how many of the rows of a relation with `visitor_id` have a visitor who has an earlier row with the
 * same `by`. `identified` less these are the distinct visitors.
 */
export const repeatsBy = (sql: Sql, by: Fragment, rows: Fragment): Fragment => sql`
  select ${by}, sum(times - 1) as repeats
  from (select ${by}, count(*) as times from ${rows} group by ${by}, visitor_id having count(*) > 1) v
  group by ${by}`;

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
  const isWithin = sql`
    started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
    and started_at >= ${since} and started_at < ${to} ${inQuarters(sql, since, to)}`;
  // One level: each level of selects in between costs every visit as much as one more report.
  const select = (condition: Fragment): Fragment => sql`
    -- What has no nulls and is often read stands first: a row is unpacked up to the last column that is read.
    select started_at, tier, counted, continued, profile_id, place_id, origin_id, started_at >= ${from} as inside,
      started_at >= ${from} and (duration_ms is null or ${ends} < ${to}) as whole,
      is_seen(counted, continued, entry_page, custom_events, consent_page) as seen, ${countPages(sql)} as views, visitor_id, entry_page,
      duration_ms, entry_ms, later_pages, custom_events, event_data, page_data, consent_page
    from visits
    where site_key = (select site_key from range) and profile_id > 0 and ${condition} ${ofTier} ${keepVisits(sql, filters)}`;
  if (which === 'begun') return select(isWithin);
  return sql`
    ${select(sql`${isWithin} and (started_at >= ${from} or ${ends} >= ${from})`)}
    union all
    ${select(sql`
      duration_ms >= 86400000
      and started_at >= ${earlier.after}::timestamptz and started_at < ${earlier.before}::timestamptz
      and started_at >= ${from} - longest_visit() and started_at < ${since} and ${ends} >= ${from}`)}`;
}
