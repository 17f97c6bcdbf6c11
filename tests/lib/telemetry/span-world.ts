/** An environment of its own, whose spans are stored by the receiver's verb. */

import type { Sql } from '../../../lib/db.ts';
import type { Attributes } from '../../../lib/otlp/rows.ts';
import type { TelemetryContext } from '../../../lib/telemetry/query.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';

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
  const { environmentId, ingestKeyId } = await addIngestKey(sql, projectId);
  const [environment] = await sql`select key from environments where id = ${environmentId}`;
  const environmentKey: number = environment?.key;
  return {
    environmentKey,
    place: { projectId, environmentId },
    ctx: (now = NOW): TelemetryContext => ({
      sql,
      now: () => now,
      actor: { kind: 'session', sessionId: crypto.randomUUID(), userId },
    }),
    async store(spans: readonly StoredSpan[], now = NOW): Promise<void> {
      const services = [...new Set(spans.map(({ service }) => service))];
      await storeTraces(
        {
          sql,
          now: () => now,
          actor: {
            kind: 'ingestKey',
            keyId: ingestKeyId,
            projectId,
            environmentId,
            environmentKey,
            outcomes: false,
          },
        },
        {
          resources: services.map((service) => ({
            attributes: { 'service.name': service },
            schemaUrl: '',
            droppedAttributes: 0,
          })),
          scopes: [{ name: 'test', version: '', attributes: {}, schemaUrl: '', droppedAttributes: 0 }],
          spans: spans.map(({ service, status, startMs, ...span }) => ({
            ...span,
            ...{ resource: services.indexOf(service), scope: 0, statusCode: status },
            ...{ statusMessage: span.statusMessage ?? '', attributes: span.attributes ?? {} },
            ...{
              startNano: `${startMs}000000`,
              traceState: '',
              flags: 0,
              attributes: {},
              events: [],
              links: [],
            },
            ...{ droppedAttributes: 0, droppedEvents: 0, droppedLinks: 0 },
          })),
          partial: undefined,
        },
      );
    },
  };
}
