/** Creates an environment and stores spans in it with the receiver's verb. */
import type { Sql } from '../../../lib/db.ts';
import type { Attributes } from '../../../lib/otlp/rows.ts';
import type { TelemetryContext } from '../../../lib/telemetry/query-telemetry.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { spanAt, traces } from './ingest-sender.ts';

/** A Saturday. */
export const NOW = Date.parse('2026-11-21T10:30:20.000Z');

export interface StoredSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  service: string;
  name: string;
  kind: number;
  status: number;
  startMs: number;
  durationNano: number;
  statusMessage?: string;
  attributes?: Attributes;
}

export async function createEnvironment(sql: Sql) {
  const { projectId, userId } = await createTenant(sql);
  const { actor } = await addIngestKey(sql, projectId);
  return {
    environmentKey: actor.environmentKey,
    ids: { projectId, environmentId: actor.environmentId },
    ctx: (now = NOW): TelemetryContext => ({
      sql,
      now: () => now,
      actor: { kind: 'session', sessionId: crypto.randomUUID(), userId },
    }),
    async store(spans: readonly StoredSpan[], now = NOW): Promise<void> {
      const services = [...new Set(spans.map(({ service }) => service))];
      const rows = spans.map(({ service, status, startMs, ...span }) =>
        spanAt(startMs, { ...span, resource: services.indexOf(service), statusCode: status }),
      );
      await storeTraces({ sql, now: () => now, actor }, traces(rows, services));
    },
  };
}
