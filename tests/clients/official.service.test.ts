/** The official OpenTelemetry exporters, configured by their standard variables. */
import { expect, test } from 'vitest';
import { addIngestKey } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { useStack } from '../services/use-stack.ts';
import { exporterVariables, runClient } from './run-client.ts';

const stack = useStack();

test.each([
  ['http/protobuf', 'none'],
  ['http/protobuf', 'gzip'],
  ['http/json', 'none'],
  ['http/json', 'gzip'],
])('traces, logs and metrics by %s, compression %s', async (protocol, compression) => {
  const { sql, baseUrl } = stack();
  const { projectId } = await createTenant(sql);
  const { key, environmentId } = await addIngestKey(sql, projectId);
  const wrote = await runClient(new URL('./shop.ts', import.meta.url), {
    ...exporterVariables(baseUrl, key),
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_COMPRESSION: compression,
    OTEL_SERVICE_NAME: 'shop',
  });
  expect(wrote).toBe('');

  const spans = await sql`
    select spans.name, kind, status, status_message, parent_span_id is null as root, spans.attributes, events, service, scope.name as scope
    from spans
    join environments on environments.key = environment_key and environments.id = ${environmentId}
    join otlp_resources resource on resource.environment_key = environments.key and resource.id = resource_id
    join otlp_scopes scope on scope.environment_key = environments.key and scope.id = scope_id
    order by root desc`;
  expect(spans).toMatchObject([
    { name: 'POST /orders', kind: 2, status: 0, root: true, service: 'shop', scope: 'shop', events: null },
    {
      name: 'charge card',
      kind: 3,
      status: 2,
      status_message: 'card declined',
      root: false,
      attributes: { 'payment.provider': 'acme', attempts: 2, retried: true, codes: ['51', '05'] },
      events: [{ name: 'declined', attributes: { code: '51' } }],
    },
  ]);

  const logs = await sql`
    select severity, severity_text, body, logs.attributes, span_id_text(logs.span_id) as span, trace_id_text(trace_id) as trace
    from logs join environments on environments.key = environment_key and environments.id = ${environmentId}`;
  const [charged] = await sql`
    select span_id_text(span_id) as span, trace_id_text(trace_id) as trace
    from spans join environments on environments.key = environment_key and environments.id = ${environmentId}
    where spans.name = 'charge card'`;
  expect(logs).toEqual([
    {
      severity: 17,
      severity_text: 'ERROR',
      body: 'card declined',
      attributes: { 'order.id': 7 },
      ...charged,
    },
  ]);

  const points = await sql`
    select series.name, type, unit, temporality, monotonic, value, count::integer, sum, series.attributes
    from metric_points
    join environments on environments.key = environment_key and environments.id = ${environmentId}
    join metric_series series on series.environment_key = environments.key and series.id = series_id
    where series.name in ('orders', 'order.value', 'stock') order by series.name`;
  expect(points).toMatchObject([
    { name: 'order.value', type: 'histogram', unit: 'EUR', count: 1, sum: 12.5 },
    {
      name: 'orders',
      type: 'sum',
      unit: '{order}',
      temporality: 2,
      monotonic: true,
      value: 3,
      attributes: { plan: 'yearly' },
    },
    { name: 'stock', type: 'gauge', value: 40 },
  ]);
});
