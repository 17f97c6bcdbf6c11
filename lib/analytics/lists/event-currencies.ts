import type { ReportContext } from '../../context.ts';
import { type ReportInput, runReport } from '../reading/run-report.ts';
import { eventHits } from './event-hits.ts';

export interface EventCurrenciesInput extends ReportInput {
  /** Of custom events. */
  names: readonly string[];
}

interface CurrencyRow {
  name: string;
  currency: string;
  events: number;
}

/**
 * How many events of each name brought revenue, by currency: those whose amounts `reportCustomEvents` adds up. Scans the visits of the range
 * that have events with properties or revenue.
 */
export async function countEventCurrencies(
  ctx: ReportContext,
  { names, ...input }: EventCurrenciesInput,
): Promise<CurrencyRow[]> {
  const { sql } = ctx;
  const { rows } = await runReport<CurrencyRow>(
    ctx,
    input,
    (parts) => sql`
      with range as materialized (${parts.range})
      ${eventHits(sql, parts, sql`and event_data is not null`)}
      select text.value as name, data #>> '{revenue,currency}' as currency, count(*)::float8 as events
      from hits
      join site_texts text on text.site_key = (select site_key from range) and text.id = text_id
      where data ? 'revenue' and text.value = any (${names}::text[])
      group by text.value, data #>> '{revenue,currency}'`,
  );
  return rows;
}
