import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { EventPropItem } from '../answers/behaviour-schemas.ts';
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
import { countsOfHits, propHits } from '../sums/hits.ts';
import { eventHits } from './event-hits.ts';

export interface EventPropsInput extends ListInput {
  /** The event's name. A name that the site never had gives an empty list. */
  name: string;
  /** Lists the values of this key; without it, the keys. */
  key?: string | undefined;
}

/**
 * The properties of a custom event in the range: its keys, or the values of one key. Counts like `reportCustomEvents`.
 *
 * Sums sealed days (`countsOf`), and its cost grows with the number of the event's values on each day. With filters, and for 24 hours, it
 * reads the range's visits with custom events by the index `visits_events`; it skips visits without the event.
 */
export function reportEventProps(
  ctx: ReportContext,
  input: EventPropsInput,
): Promise<ListReport<EventPropItem>> {
  const { sql } = ctx;
  return runComparedList<EventPropItem, EventPropsInput>(
    ctx,
    input,
    { by: input.key === undefined ? 'key' : 'value', none: { visitors: 0, visits: 0, events: 0 } },
    (asked, parts) => sql`
      with range as materialized (${parts.range})
      ${isSealable(asked) ? countSealed(sql, asked, parts.now) : countVisits(sql, asked, parts)}
      select key, value, visitors::float8, visits::float8, hits::float8 as events
      from props
      where ${isFound(sql, sql`coalesce(value, key)`, asked)}
      order by hits desc, visitors desc, key collate "C", value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
}

/** Selects the event's id. */
const named = (sql: Sql, name: string): Fragment =>
  sql`(select id from site_texts where site_key = (select site_key from range) and value = ${name})`;

const countSealed = (sql: Sql, input: EventPropsInput, now: number): Fragment => sql`
  ${blocksAndRaw(sql, input, now, 'days')} ${countsOfHits(sql, input, propHits(sql, named(sql, input.name)))}, ${sealedProps(sql, input)}`;

/** The table `props` of the `counts` of a key's values, or of the keys. */
export function sealedProps(sql: Sql, { key }: Pick<EventPropsInput, 'key'>): Fragment {
  const ofKey =
    key === undefined
      ? sql`jsonb_array_length(doc) = 1`
      : sql`doc ->> 0 = ${key} and jsonb_array_length(doc) = 2`;
  return sql`
    props as (
      select doc ->> 0 as key, doc ->> 1 as value, visitors, visits, hits
      from (select counts.*, value::jsonb as doc from counts) c
      where ${ofKey}
    )`;
}

function countVisits(sql: Sql, input: EventPropsInput, parts: ReportParts): Fragment {
  const { name } = input;
  // `custom_events` has milliseconds too. A visit in which one of them equals the id by chance is left out later.
  const only = sql`and event_data is not null and ${named(sql, name)} = any (custom_events)`;
  return sql`
    ${eventHits(sql, parts, only)}, ${countedProps(sql, input, sql`text_id = ${named(sql, name)}`)}`;
}

/** The table `props` of the `hits` (`visit, visitor_id, counted, data`) that a condition chooses. */
export function countedProps(
  sql: Sql,
  { key }: Pick<EventPropsInput, 'key'>,
  only: Fragment = sql`true`,
): Fragment {
  const value = key === undefined ? sql`null::text` : sql`prop.value`;
  const ofKey = key === undefined ? sql`` : sql`and prop.key = ${key}`;
  return sql`
    props as (
      select key, value, count(distinct visitor_id) as visitors, count(distinct visit) filter (where counted) as visits, count(*) as hits
      from (
        select visit, visitor_id, counted, prop.key, ${value} as value
        from hits cross join lateral jsonb_each_text(data -> 'props') prop
        where ${only} ${ofKey}
      ) brought
      group by key, value
    )`;
}
