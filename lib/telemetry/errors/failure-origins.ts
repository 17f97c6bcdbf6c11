import type { OneEnvironment } from '../../projects/schemas.ts';
import { queryTelemetry, type TelemetryContext } from '../query-telemetry.ts';
import { resolveRange } from '../telemetry-range.ts';

/**
 * The service in which the failure of each trace began: that of the failed span which has no failed span below it and ended first. Traces
 * without a failed span are left out. Reads the spans of the traces by the primary key of each kept day.
 */
export async function findFailureOrigins(
  ctx: TelemetryContext,
  { traceIds, ...environment }: OneEnvironment & { traceIds: readonly string[] },
): Promise<Map<string, string>> {
  if (traceIds.length === 0) return new Map();
  const { items } = await queryTelemetry<{ traceId: string; service: string }>(
    ctx,
    environment,
    { instants: resolveRange({ period: '15m' }, ctx.now()), signal: 'traces' },
    ctx.sql`
      with failed as materialized (
        select trace_id, span_id, parent_span_id, resource_id, start_nano + duration_nano as end_nano from spans
        where environment_key = (select key from environment) and trace_id = any(${traceIds}::uuid[]) and status = 2
      )
      select distinct on (trace_id) trace_id_text(trace_id) as "traceId", resource.service
      from failed
      join otlp_resources resource on resource.environment_key = (select key from environment) and resource.id = resource_id
      where not exists (
        select from failed below where below.trace_id = failed.trace_id and below.parent_span_id = failed.span_id)
      order by trace_id, end_nano, span_id`,
  );
  return new Map(items.map(({ traceId, service }) => [traceId, service]));
}
