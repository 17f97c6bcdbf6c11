import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf, edgeOf } from '../../visits/dimension-sql.ts';
import { type Dimension, isDimension } from '../../visits/dimensions.ts';
import type { GoalItem } from '../answers/goal-schemas.ts';
import { reachedBy } from '../reading/reached-targets.ts';
import { type ReportInput, type ReportParts, runReport } from '../reading/run-report.ts';
import { ofSite } from '../reading/targets.ts';
import { joinNames, numberNames } from './visit-values.ts';

export interface GoalRevenueInput extends ReportInput {
  /** A UUID. */
  goalId: string;
  by: Dimension | 'page' | 'entry_page' | 'exit_page';
}

interface EarnedRow {
  value: string;
  /** `events`: how many brought the amount. */
  revenue: (GoalItem['revenue'][number] & { events: number })[];
}

/**
 * What the events that reached a goal brought, by the rows that a list has with `goal`: of counted visits at tiers 2 and 3, as their
 * conversions are (docs/counting.md#goals-by-row). Rows without revenue are left out. Scans the visits of the range.
 */
export async function reportGoalRevenue(ctx: ReportContext, input: GoalRevenueInput): Promise<EarnedRow[]> {
  const { sql } = ctx;
  const { by, goalId } = input;
  const { rows } = await runReport<EarnedRow>(ctx, input, (parts) => {
    const { visits, names, values, shown } = isDimension(by)
      ? ofDimension(sql, parts, by)
      : ofPages(sql, parts, by);
    return sql`
      with range as materialized (${parts.range}),
      goals as materialized (
        select key, kind, pattern from site_goals where ${ofSite(sql)} and id = ${goalId}::uuid
      )
      ${reachedBy(sql, visits, sql`select key as target, kind, pattern from goals`)} ${names},
      earned as (
        select visit, data #>> '{revenue,currency}' as currency, sum((data #>> '{revenue,amount}')::numeric) as amount,
          count(*) as events
        from reached where data ? 'revenue' group by visit, data #>> '{revenue,currency}'
      ),
      counts as (
        select value, currency, sum(amount) as amount, sum(events) as events
        from earned join (${values}) valued using (visit) group by value, currency
      )
      select shown.name as value,
        jsonb_agg(
          jsonb_build_object('currency', currency, 'amount', amount::text, 'events', events) order by currency collate "C"
        ) as revenue
      from counts ${shown}
      group by shown.name`;
  });
  return rows;
}

const numbered = (sql: Sql, visits: Fragment): Fragment =>
  sql`select row_number() over () as visit, * from ${visits} where counted and tier > 1`;

function ofDimension(sql: Sql, { visits }: ReportParts, by: Dimension) {
  const { id, only } = dimensionOf(sql, by);
  return {
    visits: sql`${numbered(sql, visits.kept('begun'))} and inside`,
    names: numberNames(sql, by),
    values: sql`select visit, (select by_id from numbers)[${id}] as value from begun where true ${only}`,
    shown: joinNames(sql),
  };
}

/** A visit belongs to the page on which it began or ended, or to each that it showed in the range. */
function ofPages(sql: Sql, { visits }: ReportParts, by: 'page' | 'entry_page' | 'exit_page') {
  const text = sql`
    join lateral (
      select value as name from site_texts
      where site_key = (select site_key from range) and id = counts.value and id > 0
    ) shown on true`;
  if (by === 'page')
    return {
      visits: numbered(sql, visits.kept('lasting')),
      names: sql``,
      values: sql`
        select distinct visit, text_id as value
        from begun
        cross join lateral (
          select entry_page as text_id, coalesce(entry_ms, 0) as ms where entry_page is not null
          union all select text_id, ms from hits_of(later_pages)
        ) page
        where whole or (started_at + ms * interval '1 millisecond' >= (select from_at from range)
          and started_at + ms * interval '1 millisecond' < (select to_at from range))`,
      shown: text,
    };
  const { page, only } = edgeOf(sql, by === 'entry_page' ? 'entry' : 'exit');
  return {
    visits: sql`${numbered(sql, visits.kept('begun'))} and inside and entry_page is not null`,
    names: sql``,
    values: sql`select visit, ${page} as value from begun where true ${only}`,
    shown: text,
  };
}
