import type { Sql } from '../../lib/db.ts';

/** A trace of two services, of this minute, in an environment: `web` calls `shop`, which fails. */
export async function addTrace(sql: Sql, environmentId: string, traceId: string): Promise<void> {
  const now = Date.now();
  const span = (spanId: string, service: number, parentSpanId: string | null, kind: number) => ({
    ...{ traceId, spanId, parentSpanId, kind, resource: service, scope: 0, name: 'GET /cart' },
    ...{ startNano: `${now - 1000 + service}000000`, durationNano: 50_000_000 - service * 9_000_000 },
    ...{ statusCode: service === 1 ? 2 : 0, attributes: { 'http.request.method': 'GET' } },
  });
  const origin = { attributes: {}, schemaUrl: '', droppedAttributes: 0 };
  const batch = {
    resources: ['web', 'shop'].map((service) => ({ ...origin, attributes: { 'service.name': service } })),
    scopes: [{ ...origin, name: 'http', version: '1.0.0' }],
    spans: [span('eee19b7ec3c1b174', 0, null, 2), span('eee19b7ec3c1b175', 1, 'eee19b7ec3c1b174', 2)],
  };
  const instant = new Date(now).toISOString();
  const days = [...new Set([now - 1000, now].map((ms) => new Date(ms).toISOString().slice(0, 10)))];
  await sql`
    select store_spans(key, ${JSON.stringify(batch)}::jsonb, ${days}::date[], ${instant}::timestamptz)
    from environments where id = ${environmentId}`;
}
