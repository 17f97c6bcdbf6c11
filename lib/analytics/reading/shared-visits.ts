/**
 * The visits that several reports of a request count, read once for all of them: those of the range that the filters keep, or of these
 * those that no sealed day has. Reports of the same visits are one statement: the tables here stand at its beginning, and
 * each report is a part of it.
 *
 * A further visit costs each report one step of an aggregate with few groups. Visitors are counted in two parts: the visits that have one,
 * less the further visits of those who came several times. So only the visits of these are grouped by visitor.
 */
import { commaSeparated, type Fragment, type Sql } from '../../db.ts';
import { type Edge, edgeOf } from '../../visits/dimension-sql.ts';
import type { Dictionary } from '../../visits/dimensions.ts';
import { earlierVisits, goalBlocks, isNew, sealedBlocks, selectUnsealed } from '../sums/blocks.ts';
import { filtersTowards, keepVisits, ofGoal } from './filters.ts';
import { type Kept, selectVisits, type Which } from './kept-visits.ts';
import { countPages } from './visit-pages.ts';

/**
 * What the visits are summed up by: the entry of a dictionary, the page on which they began or ended, or the `path` of their only page
 * view, if it was at their beginning.
 */
type SumsBy = Dictionary | Edge | 'path';

/**
 * The tables of visits that several reports share. Each method returns a table for `from`, and so says that the statement needs it. Beside
 * visits that no sealed day has there are the tables of `sealedBlocks`, and `earlier`: what the visitors of `repeated` did before.
 */
export interface SharedVisits {
  /**
   * The visits, each with all that it did. `inside`: it began in the range. `whole`: it also ended in it. `seen`: somebody was on the
   * site. `views`: its page views. Of visits that no sealed day has, instead of the range it is the window [x, y) of days that a visit is about (`selectUnsealed`).
   */
  kept(which: Which): Fragment;
  /** Those of them whose visitor has several, or may have been there before the visits began. */
  repeated(which: Which): Fragment;
  /** `sumsOfVisits` of those that began in the range and in which somebody was seen, by `id`. For dictionaries also by `tier, counted`. */
  sums(by: SumsBy): Fragment;
  /**
   * Counted visits of tiers 2 and 3 that the filters keep, whether they reach the goal or not (`reaches`). A filter by this goal isn't
   * among the filters. Where the others are those that no sealed day has, those that no block of `goalBlocks` has.
   */
  towardsGoal(which: Which): Fragment;
}

/** Collects what reports need of shared visits, and then has the tables for the beginning of their statement. */
export class VisitTables implements SharedVisits {
  /** Whether a report asked for a table. */
  isUsed = false;
  #which: Which = 'begun';
  #towardsGoal: Which | undefined;
  readonly #summedBy = new Set<SumsBy>();

  readonly #sql: Sql;
  readonly #kind: 'kept' | 'unsealed';

  /** `kept`: the visits that filters keep. `unsealed`: those that no sealed day has. */
  constructor(sql: Sql, kind: 'kept' | 'unsealed') {
    this.#sql = sql;
    this.#kind = kind;
  }

  kept(which: Which): Fragment {
    this.isUsed = true;
    if (which === 'lasting') this.#which = which;
    return this.#sql`shared_visits`;
  }

  repeated(which: Which): Fragment {
    this.kept(which);
    return this.#sql`repeated_visits`;
  }

  towardsGoal(which: Which): Fragment {
    this.isUsed = true;
    if (this.#towardsGoal !== 'lasting') this.#towardsGoal = which;
    return this.#sql`visits_towards_goal`;
  }

  sums(by: SumsBy): Fragment {
    this.isUsed = true;
    this.#summedBy.add(by);
    const id = IDS(this.#sql)[by];
    return this.#sql`(select *, ${id} as id from sums_of_visits where ${id} is not null)`;
  }

  /** The tables for a statement with `range`; the fragment begins with a comma. PostgreSQL leaves out those that no report reads. */
  tables(input: Kept, now: number): Fragment {
    const sql = this.#sql;
    const isUnsealed = this.#kind === 'unsealed';
    return sql`
      ${isUnsealed ? unsealedVisits(sql, input, now) : this.#keptVisits(input, now)},
      repeated_visits as materialized (
        select *
        from (
          -- In the list of a select it is one look-up for each visit, whatever the planner thinks of their number.
          select *, visitor_id in (select visitor_id from repeaters) as repeats from shared_visits
          where visitor_id is not null offset 0
        ) v
        where repeats
      ) ${isUnsealed ? visitsBefore(sql, input) : sql``} ${this.#sums()} ${this.#goalVisits(input, now)}`;
  }

  #goalVisits(input: Kept, now: number): Fragment {
    const { goal, filters } = input;
    const which = this.#towardsGoal;
    if (which === undefined || goal === undefined) return this.#sql``;
    const sql = this.#sql;
    const kept = { ...input, filters: filtersTowards(goal, filters).others };
    const isUnsealed = this.#kind === 'unsealed';
    const visits = isUnsealed
      ? selectUnsealed(sql, kept, now, (x, y) => unsealedColumns(sql, x, y), sql`goal_windows`)
      : selectVisits(sql, kept, now, which);
    return sql`
      ${isUnsealed ? goalBlocks(sql, input, now, goal) : sql``},
      visits_towards_goal as materialized (
        select v.started_at, v.visitor_id, v.tier, v.counted, v.profile_id, v.place_id, v.origin_id, v.inside, v.whole, v.entry_page,
          v.entry_ms, v.later_pages, (true ${keepVisits(sql, [ofGoal(goal)])}) is true as reaches ${isUnsealed ? sql`, x, y` : sql``}
        from (${visits}) v
        where v.counted and v.tier > 1
      )`;
  }

  #keptVisits(input: Kept, now: number): Fragment {
    const sql = this.#sql;
    return sql`,
      shared_visits as materialized (${selectVisits(sql, input, now, this.#which)}),
      repeaters as materialized (
        select visitor_id from shared_visits where visitor_id is not null group by visitor_id having count(*) > 1
      )`;
  }

  /** One scan of the visits sums them up in all ways that reports ask for. */
  #sums(): Fragment {
    const sql = this.#sql;
    const asked = [...this.#summedBy];
    if (asked.length === 0) return sql``;
    const ids = commaSeparated(
      sql,
      asked.map((by) => IDS(sql)[by]),
    );
    const ofTiers = asked.some((by) => !isPage(by)) ? sql`tier, counted,` : sql``;
    const sets = commaSeparated(
      sql,
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

type Tables = Record<'visits' | 'unsealed', VisitTables>;

/** The tables that a report's statement may ask for. */
export const visitTables = (sql: Sql): Tables => ({
  visits: new VisitTables(sql, 'kept'),
  unsealed: new VisitTables(sql, 'unsealed'),
});

/** Which of them it asked for. */
export const usedTables = ({ visits, unsealed }: Tables): keyof Tables | undefined =>
  visits.isUsed ? 'visits' : unsealed.isUsed ? 'unsealed' : undefined;

/** The columns of visits that no sealed day has, for the window [x, y). */
const unsealedColumns = (sql: Sql, x: Fragment, y: Fragment): Fragment => sql`
    v.started_at, v.tier, v.counted, v.profile_id, v.place_id, v.origin_id, v.started_at >= ${x} as inside,
    v.started_at >= ${x} and (v.duration_ms is null or visit_time(v.started_at, v.duration_ms) < ${y}) as whole,
    is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page) as seen, ${countPages(sql)} as views,
    v.visitor_id, v.entry_page, v.duration_ms, v.entry_ms, v.later_pages, v.custom_events, v.event_data,
    ${isNew(sql)} as is_new`;

/** Tables of the visits that no sealed day has. Visitors with a visit that isn't `isNew` are `repeaters`. */
const unsealedVisits = (sql: Sql, input: Kept, now: number): Fragment => sql`
      ${sealedBlocks(sql, input, now)},
      shared_visits as materialized (${selectUnsealed(sql, input, now, (x, y) => unsealedColumns(sql, x, y))}),
      repeaters as materialized (
        select distinct visitor_id from shared_visits where visitor_id is not null and not is_new
      )`;

/** Table `earlier`: the visits in sealed days of the `repeaters` who aren't new, up to their last visit here. */
const visitsBefore = (sql: Sql, { filters }: Kept): Fragment => sql`,
      earlier as materialized (${earlierVisits(
        sql,
        sql`
        select tier, visitor_id, max(visit_time(started_at, duration_ms)) as at
        from repeated_visits
        group by tier, visitor_id
        having not bool_or(is_new)`,
        filters,
      )})`;

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
