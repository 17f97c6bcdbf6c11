import { expect, test } from 'vitest';
import { addIngestKey } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { useStack } from '../services/use-stack.ts';
import { exporterVariables, runClient } from './run-client.ts';

const stack = useStack();

test.each(['http/protobuf', 'http'])(
  'pino logs through pino-opentelemetry-transport by %s',
  async (protocol) => {
    const { sql, baseUrl } = stack();
    const { projectId } = await createTenant(sql);
    const { key, environmentId } = await addIngestKey(sql, projectId);
    await runClient(new URL('./pino.ts', import.meta.url), {
      ...exporterVariables(baseUrl, key),
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=warehouse',
    });
    const logs = await sql`
    select severity, body, logs.attributes, service
    from logs
    join environments on environments.key = environment_key and environments.id = ${environmentId}
    join otlp_resources resource on resource.environment_key = environments.key and resource.id = resource_id
    order by severity`;
    expect(logs).toMatchObject([
      { severity: 13, body: 'stock is low', attributes: { orderId: 7 }, service: 'warehouse' },
      { severity: 17, body: 'not shipped', service: 'warehouse' },
    ]);
  },
);
