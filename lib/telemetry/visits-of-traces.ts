import { mayReadBothSides } from '../associations/evidence.ts';
import { selectVisitAround } from '../associations/visit-around.ts';
import type { Fragment } from '../db.ts';
import type { OneEnvironment } from '../projects/schemas.ts';
import { queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import { resolveRange } from './telemetry-range.ts';

/** Whether a page reported each trace, in a statement with `environment` and with rows `listed(trace, …)`. */
const aroundEach = (ctx: TelemetryContext, environment: OneEnvironment): Fragment => {
  const trace = ctx.sql`listed.trace`;
  return ctx.sql`(${selectVisitAround(ctx.sql, ctx.actor, { ...environment, traceId: trace }, ctx.now())})`;
};

/**
 * Those of some traces that a page reported: their journeys have its visit. Null for actors who may not read both sides, or none of the
 * sites. For each trace what `selectVisitAround` costs.
 */
export async function tracesWithVisits(
  ctx: TelemetryContext,
  { traceIds, ...environment }: OneEnvironment & { traceIds: readonly string[] },
): Promise<Set<string> | null> {
  if (!mayReadBothSides(ctx.actor)) return null;
  if (traceIds.length === 0) return new Set();
  const { items } = await queryTelemetry<{ traceId: string; isKnown: boolean; isPermitted: boolean }>(
    ctx,
    environment,
    { instants: resolveRange({ period: '15m' }, ctx.now()), signal: 'traces' },
    ctx.sql`
      select trace_id_text(trace) as "traceId", around -> 'around' <> 'null' as "isKnown", around -> 'isPermitted' as "isPermitted"
      from unnest(${traceIds}::uuid[]) as listed(trace)
      cross join lateral (select ${aroundEach(ctx, environment)} as around) asked`,
  );
  if (!items.every(({ isPermitted }) => isPermitted)) return null;
  return new Set(items.filter(({ isKnown }) => isKnown).map(({ traceId }) => traceId));
}

/** How many of an error's newest traces are in the range, and how many visits led to these. */
export interface ErrorVisits {
  traces: number;
  visits: number;
}

/**
 * How many visits led to the newest traces of errors in a range, at most 20 of each. Null for actors who may not read both sides, or
 * none of the sites. For each trace what `selectVisitAround` costs.
 */
export async function visitsOfErrors(
  ctx: TelemetryContext,
  {
    ids,
    fromMs,
    toMs,
    ...environment
  }: OneEnvironment & { ids: readonly string[]; fromMs: number; toMs: number },
): Promise<Map<string, ErrorVisits> | null> {
  const { sql, actor } = ctx;
  if (!mayReadBothSides(actor)) return null;
  const { items } = await queryTelemetry<ErrorVisits & { id: string; isPermitted: boolean }>(
    ctx,
    environment,
    { instants: resolveRange({ period: '15m' }, ctx.now()), signal: 'errors' },
    sql`
      select id, count(*) as traces, count(distinct (visit ->> 'siteId', visit ->> 'startedAt', first)) filter (where visit <> 'null') as visits,
        bool_and(permitted) as "isPermitted"
      from (
        select listed.id, (around -> 'isPermitted')::boolean as permitted, around #> '{around,visit}' as visit, around #>> '{around,pageViews,0,time}' as first
        from (
          select span_id_text(grp.id) as id, (example ->> 'trace')::uuid as trace
          from error_groups grp
          cross join lateral jsonb_array_elements(grp.examples) as one(example)
          where grp.environment_key = (select key from environment) and grp.id in (select span_id_of(id) from unnest(${ids}::text[]) as asked(id))
            and example ->> 'trace' is not null
            and (example ->> 'time')::bigint >= ${`${fromMs}000000`}::bigint and (example ->> 'time')::bigint < ${`${toMs}000000`}::bigint
        ) listed
        cross join lateral (select ${aroundEach(ctx, environment)} as around) asked
      ) visited
      group by id`,
  );
  if (!items.every(({ isPermitted }) => isPermitted)) return null;
  return new Map(items.map(({ id, traces, visits }) => [id, { visits, traces }]));
}
