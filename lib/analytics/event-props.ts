import type { ReportContext } from '../context.ts';
import type { EventPropItem } from './behaviour-schemas.ts';
import { eventHits } from './event-hits.ts';
import { type ListInput, type ListReport, pageOfRows, runList } from './report.ts';

export interface EventPropsInput extends ListInput {
  /** The event's name. One that the site never had is like one without properties. */
  name: string;
  /** Lists the values of this key; without it, the keys. */
  key?: string | undefined;
}

/**
 * The properties that a custom event brought in the range: its keys, or the values of one of them. Counts as
 * `reportCustomEvents`.
 *
 * Reads the range's visits with custom events by the index `visits_events`, and grows with them; those without the event are left
 * out at once.
 */
export function reportEventProps(
  ctx: ReportContext,
  input: EventPropsInput,
): Promise<ListReport<EventPropItem>> {
  const { sql } = ctx;
  const { name, key } = input;
  const value = key === undefined ? sql`null::text` : sql`prop.value`;
  const ofKey = key === undefined ? sql`` : sql`and prop.key = ${key}`;
  const named = sql`(select id from site_texts where site_key = (select site_key from range) and value = ${name})`;
  // Milliseconds are among the custom events as well: what has the name by chance is left out later.
  const only = sql`and event_data is not null and ${named} = any (custom_events)`;
  return runList<EventPropItem>(
    ctx,
    input,
    ({ range, now }) => sql`
      with range as materialized (${range}) ${eventHits(sql, input, now, only)},
      props as (
        select visit, visitor_id, counted, prop.key, ${value} as value
        from hits
        cross join lateral jsonb_each_text(data -> 'props') prop
        where text_id = ${named} ${ofKey}
      )
      select key, value, count(distinct visitor_id)::float8 as visitors,
        (count(distinct visit) filter (where counted))::float8 as visits, count(*)::float8 as events
      from props
      group by key, value
      order by events desc, visitors desc, key collate "C", value collate "C"
      ${pageOfRows(sql, input)}`,
  );
}
