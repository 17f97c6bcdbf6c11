import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { CustomEventItem } from '../answers/behaviour-schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import { isSealable } from '../reading/filters.ts';
import {
  isFound,
  type ListInput,
  type ListReport,
  pageOfRows,
  type ReportParts,
} from '../reading/run-report.ts';
import { onlyLarge, sizeOfHits } from '../reading/small-groups.ts';
import { countsOfHits, eventHits as sealedHits } from '../sums/hits.ts';
import { amountOf } from '../sums/revenue.ts';
import { eventHits } from './event-hits.ts';

/**
 * The custom events of the range by name. An event counts at its time. A visit and its visitor count for each name that they have in the
 * range, as in the report of pages.
 *
 * Sums sealed days (`countsOf`). With filters, and for 24 hours, it reads the visits that it shares with other reports (`SharedVisits`) and
 * keeps those with custom events, and its cost grows with their events (n log n), because it sorts them to count distinct visits and visitors.
 */
export function reportCustomEvents(
  ctx: ReportContext,
  input: ListInput,
): Promise<ListReport<CustomEventItem>> {
  const { sql } = ctx;
  return runComparedList<CustomEventItem>(
    ctx,
    { ...input, imported: 'event' },
    { by: 'name', none: { visitors: 0, visits: 0, events: 0, revenue: [] } },
    (asked, parts) => sql`
      with range as materialized (${parts.range})
      ${isSealable(asked) ? countSealed(sql, asked, parts) : countVisits(sql, asked, parts)},
      sums as (
        select value, currency, sum(amount)::text as amount from earned group by value, currency
      ),
      money as (
        select value, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount) order by currency collate "C") as revenue
        from sums
        group by value
      )
      select text.value as name, visitors::float8, visits::float8, hits::float8 as events, coalesce(revenue, '[]') as revenue
      from counts
      left join money using (value)
      join site_texts text on text.site_key = (select site_key from range) and text.id = counts.value and text.id > 0
      where ${isFound(sql, sql`text.value`, asked)}
      order by hits desc, visitors desc, text.value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
}

/** `amount` and `currency` of an event's revenue. */
const priceOf = (sql: Sql): Fragment =>
  sql`(data #>> '{revenue,amount}')::numeric as amount, data #>> '{revenue,currency}' as currency`;

function countSealed(sql: Sql, input: ListInput, { unsealed }: ReportParts): Fragment {
  const amount = amountOf(sql, input.tier);
  return sql`,
    raw as materialized (
      select row_number() over () as visit, * from ${unsealed.kept('lasting')} where custom_events is not null
    )
    ${countsOfHits(sql, input, sealedHits(sql))},
    earned as (
      select value, ${amount} as amount, currency
      from seals join rollup_revenue r on r.site_key = (select site_key from range) and r.bucket = seals.bucket
        and r.dimension = dimension_number('event')
      where seals.span = 1 and ${amount} is not null
      union all
      select text_id, ${priceOf(sql)}
      from raw cross join lateral events_of(custom_events, event_data) event
      where event_data is not null and data ? 'revenue'
        and started_at + ms * interval '1 millisecond' >= x and started_at + ms * interval '1 millisecond' < y
        and started_at + ms * interval '1 millisecond' >= (select from_at from range)
    )`;
}

function countVisits(sql: Sql, input: ListInput, parts: ReportParts): Fragment {
  return sql`
    ${eventHits(sql, parts)},
    counts as (
      select text_id as value, count(distinct visitor_id) as visitors,
        count(distinct visit) filter (where counted) as visits, count(*) as hits
      from hits
      group by text_id ${onlyLarge(sql, input.narrowing, sizeOfHits(sql))}
    ),
    earned as (select text_id as value, ${priceOf(sql)} from hits where data ? 'revenue')`;
}
