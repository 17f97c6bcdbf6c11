import type { Sql } from '../../lib/db.ts';
import { storeTraces } from '../../lib/telemetry/store-traces.ts';
import { spanAt } from '../lib/telemetry/ingest-sender.ts';

/** Stores a trace of a minute, by default of this one, in an environment: `web` calls `shop`, which fails. */
export async function addTrace(
  sql: Sql,
  environmentId: string,
  traceId: string,
  now = Date.now(),
): Promise<void> {
  const [environment] =
    await sql`select key, project_id as "projectId" from environments where id = ${environmentId}`;
  const span = (spanId: string, service: number, parentSpanId: string | null) =>
    spanAt(now - 1000 + service, {
      ...{ traceId, spanId, parentSpanId, resource: service, name: 'GET /cart' },
      ...{ durationNano: 50_000_000 - service * 9_000_000, statusCode: service === 1 ? 2 : 0 },
      attributes: { 'http.request.method': 'GET' },
    });
  const origin = { attributes: {}, schemaUrl: '', droppedAttributes: 0 };
  const actor = {
    ...({ kind: 'ingestKey', keyId: '', environmentId, outcomes: false } as const),
    ...{ projectId: environment?.projectId, environmentKey: environment?.key },
  };
  await storeTraces(
    { sql, now: () => now, actor },
    {
      resources: ['web', 'shop'].map((service) => ({ ...origin, attributes: { 'service.name': service } })),
      scopes: [{ ...origin, name: 'http', version: '1.0.0' }],
      spans: [span('eee19b7ec3c1b174', 0, null), span('eee19b7ec3c1b175', 1, 'eee19b7ec3c1b174')],
      bytes: 0,
      partial: undefined,
    },
  );
}
