import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { notFound } from '../../errors.ts';
import { storeSteps } from '../../goals/funnel-definitions.ts';
import type { CreateFunnel } from '../../goals/schemas.ts';
import { type StoredTarget, toTarget } from '../../goals/target.ts';
import type { FunnelReport, ReachMeta, ReachReport } from '../answers/goal-schemas.ts';
import { ratio } from '../reading/figures.ts';
import { isSealable } from '../reading/filters.ts';
import { reachedByKept, reasonsOf } from '../reading/reached-targets.ts';
import { type ReportInput, type ReportParts, runReport } from '../reading/run-report.ts';
import { type Narrowing, onlyLarge } from '../reading/small-groups.ts';
import { ofSite } from '../reading/targets.ts';
import { reachedRaw, reachOf, sealedReasons, visitsOf } from '../sums/reach.ts';

/** A funnel of the site by its UUID, or steps that needn't be saved. */
export type FunnelInput = ReportInput & ({ funnelId: string } | { steps: CreateFunnel['steps'] });

interface FunnelRow {
  id: string;
  name: string;
  steps: (StoredTarget & { visits: number })[];
  approximate: ReachMeta['approximate'];
}

/**
 * How many of the visits that began in the range reached the steps of a funnel, in their order (docs/counting.md#funnels): a step needs a
 * hit that isn't earlier than the hit of the previous step. Tiers 2 and 3; a continued visit begins where consent was given.
 *
 * Sums sealed days that know the funnel. With filters, with steps that aren't saved, for 24 hours, and of other days it scans the visits once, unpacks their hits, and
 * sorts those that match steps. Each step with a wildcard is also compared with all paths of the site.
 *
 * @throws `NOT_FOUND` also for a funnel that the site doesn't have
 */
export async function reportFunnel(
  ctx: ReportContext,
  input: FunnelInput,
): Promise<ReachReport<FunnelReport>> {
  const { sql } = ctx;
  const { rows, meta } = await runReport<FunnelRow>(
    ctx,
    { ...input, tiers: [2, 3] },
    (parts) => sql`
      with range as materialized (${parts.range}),
      funnel as materialized (
        ${
          'steps' in input
            ? sql`select null as id, null as key, null as name, ${storeSteps(input.steps)}::jsonb as steps from range`
            : sql`select id, key, name, steps from site_funnels where ${ofSite(sql)} and id = ${input.funnelId}::uuid`
        }
      ),
      steps as materialized (
        select step::integer, kind, pattern
        from funnel, rows from (jsonb_to_recordset(funnel.steps) as (kind smallint, pattern text))
          with ordinality as item(kind, pattern, step)
      )
      ${isSealable(input) && 'funnelId' in input ? countSealed(sql, input, parts) : countVisits(sql, input, parts)}
      select id, name, array(
          select reason from unnest((select approximate from whole)) as reason where reason = 'continuations') as approximate,
        (
          select jsonb_agg(jsonb_build_object('kind', kind, 'pattern', pattern, 'visits', coalesce(visits, 0)) order by step)
          from steps left join (select step, sum(visits) as visits from taken group by step) t using (step)
        ) as steps
      from funnel`,
  );
  const [row] = rows;
  if (row === undefined) throw notFound('funnel');
  const { id, name, approximate } = row;
  const steps = input.narrowing === undefined ? row.steps : row.steps.filter(({ visits }) => visits > 0);
  return { data: { id, name, steps: toSteps(steps) }, meta: { ...meta, approximate: approximate ?? [] } };
}

/** The table `taken`: the visits of `reached` with the steps that they reached. The fragment begins with a comma. */
const stepsTaken = (sql: Sql, narrowing?: Narrowing): Fragment => sql`,
  depths as materialized (
    select visitor_id, steps_reached(target::integer order by ms, target::integer) as depth
    from reached
    where tier > 1 and seen
    group by visit, visitor_id
  ),
  walked as (
    select step, (
        select count(*) from depths where depth >= step ${onlyLarge(sql, narrowing, sql`count(distinct visitor_id)`)}
      ) as visits
    from steps
  )`;

const targetsOf = (sql: Sql): Fragment => sql`select step as target, kind, pattern from steps`;

function countSealed(sql: Sql, input: FunnelInput, { now }: ReportParts): Fragment {
  return sql`
    ${reachedRaw(sql, input, now, targetsOf(sql), { withConsent: true })}
    ${stepsTaken(sql)}
    ${reachOf(sql, input)},
    taken as (
      select step, visits from walked
      union all
      select v.value - 8 * funnel.key + 1, ${visitsOf(sql, input.tier)}
      from funnel
      cross join blocks b
      join rollup_values r on r.site_key = (select site_key from range) and r.bucket = b.bucket and r.span = b.span
        and r.dimension = dimension_number('funnel')
      cross join lateral unnest(r.value, r.visits_1, r.visits_2, r.visits_3) as v(value, visits_1, visits_2, visits_3)
      where v.value >= 8 * funnel.key and v.value < 8 * funnel.key + 8
    ),
    whole as (select (${sealedReasons(sql)}) as approximate)`;
}

function countVisits(sql: Sql, input: FunnelInput, parts: ReportParts): Fragment {
  return sql`
    ${reachedByKept(sql, parts, targetsOf(sql), { withConsent: true })}
    ${stepsTaken(sql, input.narrowing)},
    taken as (select step, visits from walked),
    whole as (select (${reasonsOf(sql)}) as approximate)`;
}

function toSteps(steps: FunnelRow['steps']): FunnelReport['steps'] {
  const first = steps[0]?.visits ?? 0;
  return steps.map(({ visits, ...target }, n) => {
    const before = steps[n - 1]?.visits ?? visits;
    return {
      ...toTarget(target),
      visits,
      share: ratio(100 * visits, first),
      dropOff: ratio(100 * (before - visits), before),
    };
  });
}
