import type { ReportContext } from '../../context.ts';
import type { CustomEventItem } from '../answers/behaviour-schemas.ts';
import { type ReportInput, runReport } from '../reading/run-report.ts';
import { eventHits } from './event-hits.ts';

export interface PropertyRevenueInput extends ReportInput {
  /** Of a custom event. */
  name: string;
  /** Of a property. */
  key: string;
  values: readonly string[];
}

interface EarnedRow {
  value: string;
  revenue: CustomEventItem['revenue'];
}

/**
 * What the events of a name brought, by the values of a property; values without revenue are left out. Scans the visits of the range that have
 * events with properties or revenue.
 */
export async function reportPropertyRevenue(
  ctx: ReportContext,
  { name, key, values, ...input }: PropertyRevenueInput,
): Promise<EarnedRow[]> {
  const { sql } = ctx;
  const { rows } = await runReport<EarnedRow>(
    ctx,
    input,
    (parts) => sql`
      with range as materialized (${parts.range})
      ${eventHits(sql, parts, sql`and event_data is not null`)},
      brought as (
        select data -> 'props' ->> ${key}::text as value, data #>> '{revenue,currency}' as currency,
          (data #>> '{revenue,amount}')::numeric as amount
        from hits
        where text_id = (select id from site_texts where site_key = (select site_key from range) and value = ${name})
          and data ? 'revenue'
      ),
      earned as (
        select value, currency, sum(amount) as amount
        from brought
        where value = any (${values}::text[])
        group by value, currency
      )
      select value, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount::text) order by currency collate "C") as revenue
      from earned
      group by value`,
  );
  return rows;
}
