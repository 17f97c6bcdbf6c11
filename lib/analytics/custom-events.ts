import type { ReportContext } from '../context.ts';
import type { CustomEventItem } from './behaviour-schemas.ts';
import { eventHits } from './event-hits.ts';
import { type ListInput, type ListReport, pageOfRows, runList } from './report.ts';

/**
 * The custom events of the range by name. An event counts when it happened; a visit and its visitor count for each name
 * that they have in the range, as they do for pages.
 *
 * Scans the range's visits once and keeps those with custom events (`keptVisits`), and grows with their events, n log n, by
 * the sorts that tell visits and visitors apart.
 */
export function reportCustomEvents(
  ctx: ReportContext,
  input: ListInput,
): Promise<ListReport<CustomEventItem>> {
  const { sql } = ctx;
  return runList<CustomEventItem>(
    ctx,
    input,
    ({ range, now }) => sql`
      with range as materialized (${range}) ${eventHits(sql, input, now)},
      counts as (
        select text_id, count(distinct visitor_id) as visitors, count(distinct visit) filter (where counted) as visits,
          count(*) as events
        from hits
        group by text_id
      ),
      sums as (
        select text_id, data #>> '{revenue,currency}' as currency, sum((data #>> '{revenue,amount}')::numeric)::text as amount
        from hits
        where data ? 'revenue'
        group by text_id, currency
      ),
      money as (
        select text_id, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount) order by currency collate "C") as revenue
        from sums
        group by text_id
      )
      select text.value as name, visitors::float8, visits::float8, events::float8, coalesce(revenue, '[]') as revenue
      from counts
      left join money using (text_id)
      join site_texts text on text.site_key = (select site_key from range) and text.id = text_id and text.id > 0
      order by events desc, visitors desc, text.value collate "C"
      ${pageOfRows(sql, input)}`,
  );
}
