import type { ReportContext } from '../context.ts';
import { type StoredTarget, toTarget } from '../goals/target.ts';
import { ratio } from './figures.ts';
import type { GoalItem, ReachMeta, ReachReport } from './goal-schemas.ts';
import { keptVisits } from './kept-visits.ts';
import { type ReportInput, runReport } from './report.ts';
import { ofSite, reachedBy, reasonsOf } from './targets.ts';

interface GoalRow extends StoredTarget {
  id: string;
  name: string;
  conversions: number;
  events: number;
  visitors: number;
  revenue: GoalItem['revenue'] | null;
}

interface GoalsRow {
  visits: number;
  approximate: ReachMeta['approximate'];
  goals: GoalRow[] | null;
}

/**
 * How many visits reached each goal of the site (specification, metric rule 3). All figures are of the visits that began in
 * the range; a page view or event at tier 1 is one of its own. A continued visit adds a conversion and no visit, and so does
 * what a server sent outside of any.
 *
 * Scans the range's visits once (`keptVisits`), unpacks their hits, and sorts those that reach a goal. Beside that it grows
 * with the site's paths, once for each goal with a wildcard.
 */
export async function reportGoals(ctx: ReportContext, input: ReportInput): Promise<ReachReport<GoalItem[]>> {
  const { sql } = ctx;
  const { rows, meta } = await runReport<GoalsRow>(ctx, input, ({ range, now }) => {
    const targets = sql`select id as target, kind, pattern from goals`;
    return sql`
      with range as materialized (${range}) ${keptVisits(sql, input, { now })},
      goals as materialized (select id, name, kind, pattern from site_goals where ${ofSite(sql)})
      ${reachedBy(sql, targets)},
      counts as (
        select target::uuid as id, count(distinct visit) as conversions, count(*) as events,
          count(distinct visitor_id) filter (where seen) as visitors
        from reached group by target
      ),
      sums as (
        select target::uuid as id, data #>> '{revenue,currency}' as currency,
          sum((data #>> '{revenue,amount}')::numeric)::text as amount
        from reached where data -> 'revenue' is not null group by target, currency
      ),
      money as (
        select id, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount) order by currency collate "C") as revenue
        from sums group by id
      )
      select
        (select count(*) from kept where inside and counted)::float8 as visits,
        (${reasonsOf(sql)}) as approximate,
        (
          select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'kind', kind, 'pattern', pattern,
              'conversions', coalesce(conversions, 0), 'events', coalesce(events, 0), 'visitors', coalesce(visitors, 0),
              'revenue', revenue)
            order by coalesce(conversions, 0) desc, coalesce(visitors, 0) desc, name collate "C")
          from goals left join counts using (id) left join money using (id)
        ) as goals`;
  });
  const [{ visits, approximate, goals } = { visits: 0, approximate: [], goals: null }] = rows;
  return {
    data: (goals ?? []).map((goal) => toItem(goal, visits)),
    meta: { ...meta, approximate: approximate ?? [] },
  };
}

function toItem({ kind, pattern, ...goal }: GoalRow, visits: number): GoalItem {
  const { id, name, conversions, events, visitors, revenue } = goal;
  return {
    id,
    name,
    ...toTarget({ kind, pattern }),
    conversions,
    conversionRate: rateOf(conversions, visits),
    events,
    visitors,
    revenue: revenue ?? [],
  };
}

/** Percent, one decimal, 100 at most. Anonymous counts can convert where no visit began. */
const rateOf = (conversions: number, visits: number): number =>
  conversions >= visits ? (conversions > 0 ? 100 : 0) : ratio(100 * conversions, visits);
