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
  apart: NonNullable<GoalItem['apart']>;
}

interface GoalsRow {
  visits: number;
  /** Of them, those of tiers 2 and 3. */
  exact: number;
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
      select visits::float8, exact::float8, approximate, (
          select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'kind', kind, 'pattern', pattern,
              'conversions', coalesce(counts.visits, 0), 'events', coalesce(hits, 0), 'visitors', coalesce(visitors, 0),
              'revenue', revenue, 'apart', jsonb_build_object('anonymousCounts', coalesce(apart.anonymous, 0),
                'continuations', coalesce(continuing, 0), 'serverEvents', coalesce(sent, 0)))
            order by coalesce(counts.visits, 0) desc, coalesce(visitors, 0) desc, name collate "C")
          from goals left join counts on counts.value = key left join money on money.value = key
            left join apart on apart.value = key
          where (${asked.narrowing === undefined}::boolean or counts.value is not null) and ${isFound(sql, sql`name`, asked)}
        ) as goals
      from whole`,
  );
  const [now = NOTHING] = rows;
  const other = before?.[0] ?? NOTHING;
  const shown = <Figures extends object>(figures: Figures) =>
    input.narrowing === undefined ? figures : { ...figures, exact: null, apart: null };
  const previous = new Map(other.goals?.map((goal) => [goal.id, shown(figuresOf(goal, other))]));
  return {
    data: (now.goals ?? []).map((goal) => ({
      ...shown(toItem(goal, now)),
      ...(before !== undefined && { previous: previous.get(goal.id) ?? null }),
    })),
    meta: { ...meta, approximate: [...new Set([...(now.approximate ?? []), ...(other.approximate ?? [])])] },
  };
}

const NOTHING: GoalsRow = { visits: 0, exact: 0, approximate: [], goals: null };

const targetsOf = (sql: Sql): Fragment => sql`select key as target, kind, pattern from goals`;
/** Table `apart` (`value, anonymous, continuing, sent`) from rows `value, reason, visits`: conversions that are of no counted visit. */
const apartOf = (sql: Sql, rows: Fragment): Fragment => sql`
    apart as (
      select value, sum(visits) filter (where reason = 1) as anonymous, sum(visits) filter (where reason = 2) as continuing,
        sum(visits) filter (where reason = 3) as sent
      from (${rows}) v group by value
    )`;

/** Rows for `apartOf` from `begun` and `reached`. */
const apartOfVisits = (sql: Sql): Fragment => sql`
        select target::integer as value, reason, count(distinct visit) as visits
        from reached join begun using (visit) cross join lateral conversion_apart(begun.tier, begun.seen, counted) as reason
        where reason is not null and not is_repeated(data)
        group by target, reason`;

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
    ${apartOf(
      sql,
      sql`
        select value / 8 as value, value % 8 as reason, visits from reach where value > 8
        union all ${apartOfVisits(sql)}`,
    )},
    whole as (
      select coalesce(sum(visits), 0) as visits, coalesce(sum(exact), 0) as exact, (${sealedReasons(sql)}) as approximate
      from reach where value = 4
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
    ${apartOf(sql, apartOfVisits(sql))},
    whole as (
      select count(*) as visits, count(*) filter (where tier > 1) as exact, (${reasonsOf(sql)}) as approximate
      from begun where counted
    )`;
}

type Visits = Pick<GoalsRow, 'visits' | 'exact'>;

const toItem = ({ id, name, kind, pattern, ...goal }: GoalRow, visits: Visits): GoalItem => ({
  id,
  name,
  ...toTarget({ kind, pattern }),
  ...figuresOf(goal, visits),
});

function figuresOf(
  { conversions, events, visitors, revenue, apart }: Omit<GoalRow, 'id' | 'name' | 'kind' | 'pattern'>,
  { visits, exact }: Visits,
) {
  const { anonymousCounts, continuations, serverEvents } = apart;
  const converted = conversions - anonymousCounts - continuations - serverEvents;
  return {
    exact: {
      conversions: converted,
      visits: exact,
      conversionRate: exact === 0 ? null : ratio(100 * converted, exact),
    },
    apart,
    conversions,
    conversionRate: rateOf(conversions, visits),
    events,
    visitors,
    revenue: revenue ?? [],
  };
}

/** Percent with one decimal, at most 100. At tier 1 there can be conversions without a visit that began in the range. */
const rateOf = (conversions: number, visits: number): number =>
  conversions >= visits ? (conversions > 0 ? 100 : 0) : ratio(100 * conversions, visits);
