import type { Fragment, Sql } from '../../db.ts';
import { containing, type Filter, keepPages } from '../reading/filters.ts';
import type { ListInput, ReportParts } from '../reading/run-report.ts';
import { isListed } from './listed-paths.ts';

/**
 * Tables `blocks` and `gaps` for a statement with `range` (the fragment begins with a comma): the largest blocks of sums in the range
 * (schema/migrations/0008-measures.sql), and the times between them, which are read from raw events. Reads the range's rows of
 * `rollup_blocks` by the primary key, a little more than one per day, and sorts them.
 */
export function summedBlocks(sql: Sql): Fragment {
  return sql`,
    blocks as materialized (
      select span, starts_at, ends_at, told_to
      from (
        select span, starts_at, ends_at, told_to,
          max(ends_at) over (order by starts_at, span desc rows between unbounded preceding and 1 preceding) as covered_to
        from range
        join rollup_blocks using (site_key)
        where starts_at >= from_at and starts_at < to_at and ends_at <= to_at
      ) b
      where covered_to is null or covered_to <= starts_at
    ),
    gaps as materialized (
      select gap_from, gap_to
      from (
        select lag(ends_at, 1, (select from_at from range)) over (order by starts_at) as gap_from, starts_at as gap_to
        from (select starts_at, ends_at from blocks union all select to_at, to_at from range) edges
      ) e
      where gap_from < gap_to
    )`;
}

/**
 * The condition after `where` for the sums of a report: those of the pages that are filtered and searched for, and none if the report is
 * restricted to another tier.
 */
export function keepSums(
  sql: Sql,
  { filters = [], tier, search }: ListInput,
  { listed }: Pick<ReportParts, 'listed'>,
): Fragment {
  const found: Filter[] = search === undefined ? [] : [{ dimension: 'page', ...containing(search) }];
  const wanted = listed === undefined ? sql`` : sql`and path_id ${isListed(sql, listed)}`;
  return sql`${tier === undefined || tier === 3}::boolean ${keepPages(sql, [...filters, ...found])} ${wanted}`;
}

/**
 * Selects the path of a row's `path_id`, with one look-up per row in the index of ids. As a join, the planner might scan all texts for
 * each row.
 */
export const pathOf = (sql: Sql): Fragment =>
  sql`select value from site_texts where site_key = (select site_key from range) and id = path_id and id > 0 offset 0`;
