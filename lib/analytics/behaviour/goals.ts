import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { type StoredTarget, toTarget } from '../../goals/target.ts';
import type { GoalItem, ReachMeta, ReachReport } from '../answers/goal-schemas.ts';
import { runCompared } from '../reading/compare.ts';
import { ratio } from '../reading/figures.ts';
import { isSealable } from '../reading/filters.ts';
import { reachedByKept, reasonsOf } from '../reading/reached-targets.ts';
import { isFound, type ListInput, type ReportInput, type ReportParts } from '../reading/run-report.ts';
import { onlyLarge, sizeOfHits } from '../reading/small-groups.ts';
import { ofSite } from '../reading/targets.ts';
import { countsOfRaw, sealedValues } from '../sums/counts.ts';
import { reachedRaw, reachOf, sealedReasons } from '../sums/reach.ts';
import { amountOf } from '../sums/revenue.ts';

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

/** `search`: only goals with this text in their name. */
export type GoalsInput = ReportInput & Pick<ListInput, 'search'>;

/**
 * How many visits reached each goal of the site (docs/counting.md#goals). All figures are of the visits that began in the range; a page
 * view or event at tier 1 is a visit of its own, except the repeats of an event on its page. A continued visit adds a conversion but no visit, and so does an event that a server
 * sent outside of any visit.
 *
 * Sums sealed days that know the goals (`countsOf`). With filters, for 24 hours, and of other days it scans the visits once, unpacks
 * their hits, and sorts those that reach a goal. Each goal with a wildcard is also compared with all paths of the site.
 */
export async function reportGoals(ctx: ReportContext, input: GoalsInput): Promise<ReachReport<GoalItem[]>> {
  const { sql } = ctx;
  const { rows, meta, before } = await runCompared<GoalsRow, GoalsInput>(
    ctx,
    input,
    (asked, parts) => sql`
      with range as materialized (${parts.range}),
      goals as materialized (select id, key, name, kind, pattern from site_goals where ${ofSite(sql)})
      ${isSealable(asked) ? countSealed(sql, asked, parts) : countVisits(sql, asked, parts)},
      money as (
        select value, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount) order by currency collate "C") as revenue
        from (select value, currency, sum(amount)::text as amount from earned group by value, currency) sums
        group by value
      )
      select visits::float8, approximate, (
          select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'kind', kind, 'pattern', pattern,
              'conversions', coalesce(counts.visits, 0), 'events', coalesce(hits, 0), 'visitors', coalesce(visitors, 0),
              'revenue', revenue)
            order by coalesce(counts.visits, 0) desc, coalesce(visitors, 0) desc, name collate "C")
          from goals left join counts on counts.value = key left join money on money.value = key
          where (${asked.narrowing === undefined}::boolean or counts.value is not null) and ${isFound(sql, sql`name`, asked)}
        ) as goals
      from whole`,
  );
  const [now = NOTHING] = rows;
  const other = before?.[0] ?? NOTHING;
  const previous = new Map(other.goals?.map((goal) => [goal.id, figuresOf(goal, other.visits)]));
  return {
    data: (now.goals ?? []).map((goal) => ({
      ...toItem(goal, now.visits),
      ...(before !== undefined && { previous: previous.get(goal.id) ?? null }),
    })),
    meta: { ...meta, approximate: [...new Set([...(now.approximate ?? []), ...(other.approximate ?? [])])] },
  };
}

const NOTHING: GoalsRow = { visits: 0, approximate: [], goals: null };

const targetsOf = (sql: Sql): Fragment => sql`select key as target, kind, pattern from goals`;
const priceOf = (sql: Sql): Fragment =>
  sql`data #>> '{revenue,currency}' as currency, (data #>> '{revenue,amount}')::numeric as amount`;

function countSealed(sql: Sql, input: ReportInput, { now }: ReportParts): Fragment {
  const amount = amountOf(sql, input.tier);
  return sql`
    ${reachedRaw(sql, input, now, targetsOf(sql))}
    ${countsOfRaw(sql, input, {
      rows: sealedValues(sql, 'goal'),
      hits: sql`
        select target::integer as value, begun.tier, case when begun.seen then begun.visitor_id end as visitor_id,
          is_new, started_at as at, (not bool_and(is_repeated(data)))::integer as visits, count(*) as hits
        from reached join begun using (visit)
        group by target, visit, begun.tier, begun.seen, begun.visitor_id, is_new, started_at`,
      had: sql`
        select target::integer as value, tier, visitor_id, started_at as at
        from earlier
        cross join lateral (
          select 1 as kind, entry_page as text_id where entry_page is not null
          union all select 1, text_id from hits_of(later_pages)
          union all select 2, text_id from hits_of(custom_events)
        ) hit
        cross join lateral jsonb_array_elements_text((select targets from by_text) -> (hit.kind || ' ' || hit.text_id)) as target
        where started_at >= (select from_at from range)`,
    })}
    ${reachOf(sql, input)},
    earned as (
      select value, currency, ${amount} as amount
      from blocks join rollup_revenue r on r.site_key = (select site_key from range) and r.bucket = blocks.bucket
        and r.dimension = dimension_number('goal')
      where ${amount} is not null
      union all
      select target::integer, ${priceOf(sql)} from reached where data ? 'revenue'
    ),
    whole as (
      select coalesce((select visits from reach where value = 4), 0) as visits, (${sealedReasons(sql)}) as approximate
    )`;
}

function countVisits(sql: Sql, input: ReportInput, parts: ReportParts): Fragment {
  return sql`
    ${reachedByKept(sql, parts, targetsOf(sql))},
    counts as (
      select target::integer as value, count(distinct visit) filter (where not is_repeated(data)) as visits, count(*) as hits,
        count(distinct visitor_id) filter (where seen) as visitors
      from reached group by target ${onlyLarge(sql, input.narrowing, sizeOfHits(sql))}
    ),
    earned as (select target::integer as value, ${priceOf(sql)} from reached where data ? 'revenue'),
    whole as (
      select (select count(*) from begun where counted) as visits, (${reasonsOf(sql)}) as approximate
    )`;
}

const toItem = ({ id, name, kind, pattern, ...goal }: GoalRow, visits: number): GoalItem => ({
  id,
  name,
  ...toTarget({ kind, pattern }),
  ...figuresOf(goal, visits),
});

const figuresOf = (
  { conversions, events, visitors, revenue }: Omit<GoalRow, 'id' | 'name' | 'kind' | 'pattern'>,
  visits: number,
) => ({
  conversions,
  conversionRate: rateOf(conversions, visits),
  events,
  visitors,
  revenue: revenue ?? [],
});

/** Percent with one decimal, at most 100. At tier 1 there can be conversions without a visit that began in the range. */
const rateOf = (conversions: number, visits: number): number =>
  conversions >= visits ? (conversions > 0 ? 100 : 0) : ratio(100 * conversions, visits);
