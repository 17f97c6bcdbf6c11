import type { OneEnvironment } from '../projects/schemas.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import type { ProjectQuotas } from './quota-schemas.ts';
import { projectQuotas } from './quotas.ts';
import type { Connection, ConnectionMeta } from './schemas.ts';
import { instantsOf } from './telemetry-range.ts';

const RATE_SECONDS = 300;
/** Maximum number of services per signal; the services that sent last come first. */
const MAX_SERVICES = 100;

/**
 * For each signal and service: when something was last received, how much in the last 5 minutes, and the last error that a sender got.
 * Every signal is present. `meta.quotas` is about the whole project. Reads receipts of the last 10 minutes by `telemetry_receipts_time`, connections and errors by primary keys.
 */
export async function getConnectionStatus(
  ctx: TelemetryContext,
  environment: OneEnvironment,
): Promise<Answer<Connection[], ConnectionMeta>> {
  const now = ctx.now();
  const instants = instantsOf(now - RATE_SECONDS * 1000, now);
  const { items, meta } = await queryTelemetry<{ connections: Connection[]; quotas: ProjectQuotas }>(
    ctx,
    environment,
    { instants, signal: 'any' },
    ctx.sql`
      with seen as (
        select signal, service, max(at) as at, sum(items) as items
        from (
          select signal, service, last_received_at as at, 0 as items from telemetry_connections
          where environment_key = (select key from environment)
          union all
          select signal, service, received_at, case when received_at >= ${new Date(instants.fromMs).toISOString()}::timestamptz then items else 0 end
          from telemetry_receipts where environment_key = (select key from environment)
        ) received
        group by signal, service
      ), connection as (
      select known.signal, position,
        (select wire_instant(max(at)) from seen where seen.signal = known.signal) as "lastReceivedAt",
        (select round(sum(items) / ${RATE_SECONDS}::numeric, 3) from seen where seen.signal = known.signal) as "itemsPerSecond",
        (select jsonb_build_object('at', wire_instant(at), 'status', status, 'message', message) from telemetry_errors
          where environment_key = (select key from environment) and telemetry_errors.signal = known.signal) as "lastError",
        coalesce((
          select jsonb_agg(jsonb_build_object('name', service, 'lastReceivedAt', wire_instant(at),
            'itemsPerSecond', round(items / ${RATE_SECONDS}::numeric, 3)) order by at desc, service)
          from (select * from seen where seen.signal = known.signal order by at desc, service limit ${MAX_SERVICES}) latest
        ), '[]') as services
      from unnest(array['traces', 'logs', 'metrics', 'outcomes']) with ordinality as known(signal, position)
      )
      select (select jsonb_agg(to_jsonb(connection) - 'position' order by position) from connection) as connections,
        ${projectQuotas(ctx.sql, ctx.sql`${environment.projectId}::uuid`, now)} as quotas
    `,
  );
  const [{ connections, quotas }] = items as [(typeof items)[number]];
  return { data: connections, meta: { ...meta, quotas } };
}
