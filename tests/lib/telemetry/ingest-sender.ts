/** Creates an environment for a test, and sends telemetry to it. */
import { randomBytes } from 'node:crypto';
import type { IngestContext } from '../../../lib/context.ts';
import type { Sql } from '../../../lib/db.ts';
import type { LogBatch, LogRow, MetricBatch, PointRow, SpanRow, TraceBatch } from '../../../lib/otlp/rows.ts';
import type { Sized } from '../../../lib/telemetry/store-batch.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
const resourceOf = (service: string) => ({
  attributes: { 'service.name': service },
  schemaUrl: '',
  droppedAttributes: 0,
});
const shared = {
  resources: [resourceOf('shop')],
  scopes: [{ name: 'test', version: '1', attributes: {}, schemaUrl: '', droppedAttributes: 0 }],
  bytes: 0,
  partial: undefined,
};
const origin = { resource: 0, scope: 0 };

export async function createSender(sql: Sql, now = Date.now): Promise<IngestContext> {
  const { projectId } = await createTenant(sql);
  const { actor } = await addIngestKey(sql, projectId);
  return { sql, now, actor };
}

export const spanAt = (ms: number, changes: Partial<SpanRow> = {}): SpanRow => ({
  ...origin,
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: null,
  traceState: '',
  flags: 1,
  name: 'GET /',
  kind: 2,
  startNano: `${ms}000000`,
  durationNano: 5_000_000,
  statusCode: 0,
  statusMessage: '',
  attributes: {},
  events: [],
  links: [],
  droppedAttributes: 0,
  droppedEvents: 0,
  droppedLinks: 0,
  cutAttributes: 0,
  ...changes,
});

export const logAt = (ms: number, changes: Partial<LogRow> = {}): LogRow => ({
  ...origin,
  timeNano: ms === 0 ? '0' : `${ms}000000`,
  observedNano: '0',
  severityNumber: 9,
  severityText: 'INFO',
  eventName: '',
  body: 'hello',
  attributes: {},
  droppedAttributes: 0,
  cutAttributes: 0,
  bodyCut: false,
  traceId: null,
  spanId: null,
  flags: 0,
  ...changes,
});

export const pointAt = (ms: number, changes: Partial<PointRow> = {}): PointRow => ({
  metric: 0,
  attributes: {},
  startNano: '0',
  timeNano: `${ms}000000`,
  flags: 0,
  value: 1,
  count: null,
  sum: null,
  min: null,
  max: null,
  distribution: null,
  exemplars: [],
  ...changes,
});

export const traces = (spans: SpanRow[], services = ['shop']): Sized<TraceBatch> => ({
  ...shared,
  resources: services.map(resourceOf),
  spans,
});
export const logs = (rows: LogRow[]): Sized<LogBatch> => ({ ...shared, logs: rows });
export const metrics = (points: PointRow[]): Sized<MetricBatch> => ({
  ...shared,
  metrics: [
    { ...origin, name: 'queue', description: '', unit: '1', type: 'gauge', temporality: 0, monotonic: false },
  ],
  points,
});
