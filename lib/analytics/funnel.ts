import type { ReportContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { type StoredTarget, toTarget } from '../goals/target.ts';
import { ratio } from './figures.ts';
import type { FunnelReport, ReachMeta, ReachReport } from './goal-schemas.ts';
import { keptVisits } from './kept-visits.ts';
import { type ReportInput, runReport } from './report.ts';
import { ofSite, reachedBy, reasonsOf } from './targets.ts';

export interface FunnelInput extends ReportInput {
  /** A UUID. */
  funnelId: string;
}

interface FunnelRow {
  id: string;
  name: string;
  steps: (StoredTarget & { visits: number })[];
  approximate: ReachMeta['approximate'];
}

/**
 * How many of the visits that began in the range took the steps of a funnel, in their order (specification, metric rule 5):
 * each step by a hit at the time of the one before or later. Tiers 2 and 3; a continued visit begins where consent was given.
 *
 * Scans the range's visits once (`keptVisits`), unpacks their hits, and sorts those that are steps. Beside that it grows
 * with the site's paths, once for each step with a wildcard.
 *
 * @throws `NOT_FOUND` also for a funnel that the site lacks
 */
export async function reportFunnel(
  ctx: ReportContext,
  input: FunnelInput,
): Promise<ReachReport<FunnelReport>> {
  const { sql } = ctx;
  const { rows, meta } = await runReport<FunnelRow>(ctx, input, ({ range, now }) => {
    const targets = sql`select step as target, kind, pattern from steps`;
    return sql`
      with range as materialized (${range}) ${keptVisits(sql, input, { now })},
      funnel as materialized (
        select id, name, steps from site_funnels where ${ofSite(sql)} and id = ${input.funnelId}::uuid
      ),
      steps as materialized (
        select step::integer, kind, pattern
        from funnel, rows from (jsonb_to_recordset(funnel.steps) as (kind smallint, pattern text))
          with ordinality as item(kind, pattern, step)
      )
      ${reachedBy(sql, targets)},
      depths as materialized (
        select steps_reached(target::integer order by ms, target::integer) as depth
        from reached
        where tier > 1 and seen
        group by visit
      ),
      taken as (
        select step, kind, pattern, (select count(*) from depths where depth >= step) as visits from steps
      )
      select id, name, array(
          select reason from unnest((${reasonsOf(sql)})) as reason where reason = 'continuations') as approximate,
        (select jsonb_agg(jsonb_build_object('kind', kind, 'pattern', pattern, 'visits', visits) order by step) from taken) as steps
      from funnel`;
  });
  const [row] = rows;
  if (row === undefined) throw notFound('funnel');
  const { id, name, steps, approximate } = row;
  return { data: { id, name, steps: toSteps(steps) }, meta: { ...meta, approximate: approximate ?? [] } };
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
