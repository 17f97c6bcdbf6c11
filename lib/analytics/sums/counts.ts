import type { Fragment, Sql } from '../../db.ts';
import type { Dimension } from '../../visits/dimensions.ts';
import { type Filter, onlyTier } from '../reading/filters.ts';
import type { ReportInput } from '../reading/run-report.ts';
import { earlierVisits } from './blocks.ts';
import { selectFilter } from './filter-clauses.ts';

export type SealedDimension = Dimension | 'page' | 'entry_page' | 'exit_page' | 'event' | 'goal' | 'total';

interface Blocks {
  /** The sealed rows of a block `b`, for use after `join`: `sealedValues`, or rows with the same columns. */
  rows: Fragment;
  /** The id that stands for no value. Default: 0. */
  none?: Fragment | undefined;
  /** The relation with the blocks. Default: `blocks`. */
  blocks?: Fragment | undefined;
  /**
   * A column of the blocks and of all that is selected, with a comma after it: each of its values is counted alone, so a visitor counts
   * once for each. `passed` of a block is then about the blocks with the same value.
   */
  by?: Fragment | undefined;
}

interface Unsealed {
  /** Selects sums of visits that are in no block: `value, visitors, visits, hits, anonymous`. */
  sums: Fragment;
  /** Selects the visits of visitors that a block may have, each of which counts as a visitor in `sums`: `value, tier, visitor_id, at`. */
  again: Fragment;
  /** Selects from `earlier` the values of these visitors' earlier visits in the range: `value, tier, visitor_id, at`. */
  had: Fragment;
}

/**
 * Table `counts` (`value, visitors, visits, hits, anonymous`, and `by`) for a statement with the tables of `sealedBlocks` and `earlier`:
 * the exact figures of each value in a list. The fragment begins with a comma. `anonymous` counts the hits at tier 1.
 *
 * Sums one row per block and value. A visitor of `again` counts where no earlier visit of the range has the value.
 */
export function countsOf(
  sql: Sql,
  { tier }: Pick<ReportInput, 'tier'>,
  { rows, none = sql`0`, blocks = sql`blocks`, by = sql``, sums, again, had }: Blocks & Unsealed,
): Fragment {
  return sql`,
    packs as (
      select ${by} r.*, b.passed
      from ${blocks} b join ${rows}
    ),
    sealed as (${sumSealed(sql, tier, by)}),
    identified as (${visitorsOf(sql, sql`${by} value`, { again, had })}),
    counts as (
      select ${by} value, sum(visitors) as visitors, sum(visits) as visits, sum(hits) as hits, sum(anonymous) as anonymous
      from (
        select ${by} value, visitors, visits, hits, anonymous from sealed
        union all
        ${sums}
        union all
        select ${by} value, visitors, 0, 0, 0 from identified
      ) part
      where value <> ${none}
      group by ${by} value
      having sum(visitors) > 0 or sum(visits) > 0 or sum(hits) > 0
    )`;
}

/**
 * Selects the columns `by` and `visitors`: how many visitors of `again` no block has for this `by`, less the visits of them. No join: the
 * planner can't estimate these rows, and might compare each with each.
 */
export const visitorsOf = (
  sql: Sql,
  by: Fragment,
  { again, had }: Pick<Unsealed, 'again' | 'had'>,
): Fragment => sql`
      select ${by}, count(*) filter (where had_at is null or had_at >= at) - sum(times) as visitors
      from (
        select ${by}, min(at) filter (where is_again) as at, min(at) filter (where not is_again) as had_at,
          count(*) filter (where is_again) as times
        from (
          select ${by}, tier, visitor_id, at, true as is_again from (${again}) v
          union all
          select ${by}, tier, visitor_id, at, false from (${had}) h
        ) seen
        group by ${by}, tier, visitor_id
      ) known
      where times > 0
      group by ${by}`;

interface Raw {
  /**
   * Selects from `raw` the values of days that aren't sealed: `value, tier, visitor_id, is_new, at, visits, hits`. Rows without a
   * `visitor_id` count no visitor.
   */
  hits: Fragment;
  had: Unsealed['had'];
}

/**
 * `countsOf` for a statement with the tables of `blocksAndRaw`. For each visitor of the raw part who isn't new, it looks up once which of
 * their values a sealed day has already.
 */
export function countsOfRaw(
  sql: Sql,
  input: Pick<ReportInput, 'tier'>,
  { hits, ...parts }: Blocks & Raw,
): Fragment {
  const { by = sql`` } = parts;
  const known = sql`
    select tier, visitor_id, max(at) as at from raw_hits
    where visitor_id is not null
    group by tier, visitor_id
    having not bool_or(is_new)`;
  return sql`,
    raw_hits as materialized (${hits}),
    earlier as (${earlierVisits(sql, known)})
    ${countsOf(sql, input, {
      ...parts,
      sums: sql`
        select ${by} value, count(visitor_id), sum(visits), sum(hits), sum(hits) filter (where tier = 1)
        from raw_hits
        group by ${by} value`,
      again: sql`select ${by} value, tier, visitor_id, at from raw_hits where visitor_id is not null`,
    })}`;
}

/** The rows of a dimension for blocks `b`: of all visits, or of those that filters keep. */
export function sealedValues(
  sql: Sql,
  dimension: SealedDimension,
  filters: readonly Filter[] = [],
): Fragment {
  const from =
    filters.length === 0
      ? sql`rollup_values r on`
      : sql`filter_values r on r.filter = (${selectFilter(sql, filters)}) and`;
  return sql`
    ${from} r.site_key = (select site_key from range) and r.bucket = b.bucket and r.span = b.span
      and r.dimension = dimension_number(${dimension})`;
}

/** Subtracts returning visitors and continuing visits that an earlier block of the range has counted already. */
function sumSealed(sql: Sql, tier: ReportInput['tier'], by: Fragment): Fragment {
  const { elements, visitors, visits, hits, anonymous } = SUMS(sql)[tier ?? 'all'];
  return sql`
    select ${by} value, sum(visitors) as visitors, sum(visits) as visits, sum(hits) as hits, sum(anonymous) as anonymous
    from (
      select ${by} v.value, ${visitors} as visitors, ${visits} as visits, ${hits} as hits, ${anonymous} as anonymous
      -- In the list of a select, several unnest give one row for each position, three times as fast as after "from".
      from (select ${by} ${elements} from packs) v
      union all
      select ${by} g.value, -g.returned, -g.resumed, 0, 0
      from (
        select ${by} passed, unnest(gap_value) as value, unnest(gap_tier) as tier, unnest(gap) as gap, unnest(returned) as returned,
          unnest(resumed) as resumed
        from packs
      ) g
      where g.gap <= passed ${onlyTier(sql, tier)}
    ) part
    group by ${by} value`;
}

/** Selects `value, visits` for a statement with `goalBlocks`: the counted visits of tiers 2 and 3 in blocks. `rows`: as of `countsOf`. */
export function exactVisitsOf(sql: Sql, { tier }: Pick<ReportInput, 'tier'>, rows: Fragment): Fragment {
  const [ofTwo, ofThree] = [sql`unnest(visits_2)`, sql`unnest(visits_3)`];
  const visits = { 1: sql`0`, 2: ofTwo, 3: ofThree, all: sql`${ofTwo} + ${ofThree}` }[tier ?? 'all'];
  return sql`
    select value, sum(visits) as visits
    from (
      select unnest(r.value) as value, ${visits} as visits from goal_blocks b join ${rows}
      union all
      select value, -resumed
      from (
        select b.passed, unnest(r.gap_value) as value, unnest(r.gap_tier) as tier, unnest(r.gap) as gap, unnest(r.resumed) as resumed
        from goal_blocks b join ${rows}
      ) g
      where gap <= passed ${onlyTier(sql, tier)}
    ) part
    group by value`;
}

interface Sums {
  /** The elements of the array columns of `rollup_values`, one row for each value. */
  elements: Fragment;
  visitors: Fragment;
  visits: Fragment;
  hits: Fragment;
  anonymous: Fragment;
}

const SUMS = (sql: Sql): Record<1 | 2 | 3 | 'all', Sums> => {
  const identified = (hits: Fragment, visits: Fragment, visitors: Fragment): Sums => ({
    elements: sql`
      unnest(value) as value, unnest(${hits}) as hits, unnest(${visits}) as visits, unnest(${visitors}) as visitors`,
    visitors: sql`v.visitors`,
    visits: sql`v.visits`,
    hits: sql`v.hits`,
    anonymous: sql`0`,
  });
  return {
    1: {
      elements: sql`unnest(value) as value, unnest(hits_1) as hits, unnest(visits_1) as visits`,
      visitors: sql`0`,
      visits: sql`v.visits`,
      hits: sql`v.hits`,
      anonymous: sql`v.hits`,
    },
    2: identified(sql`hits_2`, sql`visits_2`, sql`visitors_2`),
    3: identified(sql`hits_3`, sql`visits_3`, sql`visitors_3`),
    all: {
      elements: sql`
        unnest(value) as value, unnest(hits_1) as h1, unnest(hits_2) as h2, unnest(hits_3) as h3, unnest(visits_1) as v1,
        unnest(visits_2) as v2, unnest(visits_3) as v3, unnest(visitors_2) as who2, unnest(visitors_3) as who3`,
      visitors: sql`who2 + who3`,
      visits: sql`v1 + v2 + v3`,
      hits: sql`h1 + h2 + h3`,
      anonymous: sql`h1`,
    },
  };
};
