import type { ReportContext } from '../../context.ts';
import { type ReportInput, runReport } from '../reading/run-report.ts';
import { eventHits } from './event-hits.ts';

/** Values that are compared with one that isn't there. */
const MAX_VALUES = 500;

interface Known {
  keys: string[];
  values: string[];
}

export interface PropertyValuesInput extends ReportInput {
  key: string;
  /** Those that come first if there are many. */
  asked: readonly string[];
}

/**
 * The keys of the properties of page views and custom events in the range, and the values of one key, at most 500 of each. Scans the visits of the
 * range that have properties.
 */
export async function listPropertyValues(
  ctx: ReportContext,
  { key, asked, ...input }: PropertyValuesInput,
): Promise<Known> {
  const { sql } = ctx;
  const { rows } = await runReport<Known>(
    ctx,
    input,
    (parts) => sql`
      with range as materialized (${parts.range})
      ${eventHits(sql, parts, sql`and event_data is not null`)},
      props as materialized (
        select distinct prop.key, case when prop.key = ${key} then prop.value end as value
        from (
          select data -> 'props' as props from hits
          union all
          select page.data -> 'props'
          from ${parts.visits.kept('lasting')} cross join lateral page_data_of(page_data) page
          where page_data is not null
        ) held
        cross join lateral jsonb_each_text(props) prop
      )
      select
        array(select distinct key from props order by key limit ${MAX_VALUES}) as keys,
        array(
          select value from props where value is not null
          order by value = any (${asked}::text[]) desc, value limit ${MAX_VALUES}
        ) as values`,
  );
  return rows[0] ?? { keys: [], values: [] };
}
