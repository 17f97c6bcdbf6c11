import type { ReportContext } from '../../context.ts';
import type { CustomEventItem, EventPropItem } from '../answers/behaviour-schemas.ts';
import type { ReportMeta } from '../answers/schemas.ts';
import { type ReportInput, runReport } from '../reading/run-report.ts';
import { type Bucketed, bucketsOf, edgesOf, positionOf } from '../sums/buckets.ts';
import { eventHits } from './event-hits.ts';

export interface EventTimesInput extends ReportInput, Bucketed {
  /** Of a custom event. */
  name: string;
}

export interface EventTimesRow extends Pick<EventPropItem, 'visitors' | 'visits' | 'events'> {
  /** Start of the bucket, which may be before the range. */
  time: Date;
  /** Where the bucket ends in the range. */
  ends_at: Date;
  revenue: CustomEventItem['revenue'];
}

/**
 * How often a custom event happened in each hour, day, week or month of the range; those without are left out. Counts like
 * `reportCustomEvents`, within each bucket. Scans the visits of the range that have custom events.
 */
export const reportEventTimes = (
  ctx: ReportContext,
  { name, ...input }: EventTimesInput,
): Promise<{ rows: EventTimesRow[]; meta: ReportMeta }> => {
  const { sql } = ctx;
  return runReport<EventTimesRow>(
    ctx,
    input,
    (parts) => sql`
      with range as materialized (${parts.range}), ${bucketsOf(sql, input)}, ${edgesOf(sql)}
      ${eventHits(sql, parts)},
      named as (
        select visit, visitor_id, counted, data, ${positionOf(sql, sql`at`)} as position
        from hits
        where text_id = (select id from site_texts where site_key = (select site_key from range) and value = ${name})
      ),
      counts as (
        select position, count(distinct visitor_id) as visitors, count(distinct visit) filter (where counted) as visits, count(*) as events
        from named
        group by position
      ),
      earned as (
        select position, data #>> '{revenue,currency}' as currency, sum((data #>> '{revenue,amount}')::numeric) as amount
        from named
        where data ? 'revenue'
        group by position, data #>> '{revenue,currency}'
      ),
      money as (
        select position, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount::text) order by currency collate "C") as revenue
        from earned
        group by position
      )
      select start_at as time, to_at as ends_at, visitors::float8, visits::float8, events::float8, coalesce(revenue, '[]') as revenue
      from counts join buckets using (position) left join money using (position)
      order by position`,
  );
};
