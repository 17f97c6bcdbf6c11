import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { PagePropItem } from '../answers/behaviour-schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import { isSealable } from '../reading/filters.ts';
import {
  isFound,
  type ListInput,
  type ListReport,
  pageOfRows,
  type ReportParts,
} from '../reading/run-report.ts';
import { blocksAndRaw } from '../sums/blocks.ts';
import { countsOfHits, pagePropHits } from '../sums/hits.ts';
import { countedProps, sealedProps } from './event-props.ts';

export interface PagePropsInput extends ListInput {
  /** Lists the values of this key; without it, the keys. */
  key?: string | undefined;
}

/**
 * The properties of page views in the range: their keys, or the values of one key.
 *
 * Sums sealed days (`countsOf`), and its cost grows with the number of values on each day. With filters, and for 24 hours, it reads the
 * range's visits and unpacks those with properties.
 */
export function reportPageProps(
  ctx: ReportContext,
  input: PagePropsInput,
): Promise<ListReport<PagePropItem>> {
  const { sql } = ctx;
  return runComparedList<PagePropItem, PagePropsInput>(
    ctx,
    input,
    { by: input.key === undefined ? 'key' : 'value', none: { visitors: 0, visits: 0, pageviews: 0 } },
    (asked, parts) => sql`
      with range as materialized (${parts.range})
      ${isSealable(asked) ? countSealed(sql, asked, parts.now) : countVisits(sql, asked, parts)}
      select key, value, visitors::float8, visits::float8, hits::float8 as pageviews
      from props
      where ${isFound(sql, sql`coalesce(value, key)`, asked)}
      order by hits desc, visitors desc, key collate "C", value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
}

const countSealed = (sql: Sql, input: PagePropsInput, now: number): Fragment => sql`
  ${blocksAndRaw(sql, input, now, 'days')} ${countsOfHits(sql, input, pagePropHits(sql))}, ${sealedProps(sql, input)}`;

const countVisits = (sql: Sql, input: PagePropsInput, { visits }: ReportParts): Fragment => sql`,
  hits as (
    select visit, visitor_id, counted, page.data
    from range
    cross join (
      select row_number() over () as visit, visitor_id, counted, started_at, page_data
      from ${visits.kept('lasting')}
      where page_data is not null
    ) v
    cross join lateral page_data_of(page_data) page
    where started_at + page.ms * interval '1 millisecond' >= from_at
      and started_at + page.ms * interval '1 millisecond' < to_at
  ),
  ${countedProps(sql, input)}`;
