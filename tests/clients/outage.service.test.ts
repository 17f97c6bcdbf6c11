/** What happens to the spans of an official exporter while the database or Redis is out of reach. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as pass } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { type Stack, startStack } from '../../dev/stack.ts';
import { addIngestKey } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { SERVER } from '../services/server.ts';
import { useOwnStack } from '../services/use-stack.ts';
import { startTcpProxy, type TcpProxy } from '../tooling/tcp-proxy.ts';
import { exporterVariables } from './run-client.ts';

const OUTAGE_MS = 30_000;
const SOON = { timeout: 30_000, interval: 100 };

/** A program under load. `finish` ends it and resolves to the number of spans that it created. */
function startSteady(baseUrl: string, key: string) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('steady.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH ?? '',
      ...exporterVariables(baseUrl, key),
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_BSP_MAX_QUEUE_SIZE: '100000',
      // The exporter gives up after these times. The defaults are 10 and 30 s.
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
      OTEL_BSP_EXPORT_TIMEOUT: '60000',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  return {
    async finish(): Promise<number> {
      child.stdin.end();
      return Number(await output);
    },
    stop: () => child.kill(),
  };
}

const countSpans = async ({ sql }: Stack, environmentId: string) => {
  const [row] = await sql`
    select count(*)::integer as stored, count(distinct attributes -> 'number')::integer as numbers
    from spans join environments on environments.key = environment_key and environments.id = ${environmentId}`;
  return row as { stored: number; numbers: number };
};

describe('a database that is away for half a minute', () => {
  let stack: Stack;
  let proxy: TcpProxy;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const scratch = await createScratchDatabase(SERVER ?? '', { isDurable: false });
    drop = scratch.drop;
    const url = new URL(scratch.url);
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432));
    url.host = `127.0.0.1:${proxy.port}`;
    stack = await startStack({ database: { url: url.href } });
  });
  afterAll(async () => {
    await stack?.close();
    await proxy?.stop();
    await drop?.();
  });

  test('loses nothing, and stores nothing twice', { timeout: 360_000 }, async () => {
    const { projectId } = await createTenant(stack.sql);
    const { key, environmentId } = await addIngestKey(stack.sql, projectId);
    const program = startSteady(stack.baseUrl, key);
    try {
      await expect
        .poll(async () => (await countSpans(stack, environmentId)).stored, SOON)
        .toBeGreaterThan(100);
      await proxy.stop();
      // The duration of the outage is part of the test, so this waits for time and not for a condition.
      await pass(OUTAGE_MS);
      await proxy.start();
      const made = await program.finish();
      expect(made).toBeGreaterThan(OUTAGE_MS / 20);
      expect(await countSpans(stack, environmentId)).toEqual({ stored: made, numbers: made });
    } finally {
      program.stop();
    }
  });

  test('meanwhile a sender gets an answer to come back soon, in its own encoding', async () => {
    const { projectId } = await createTenant(stack.sql);
    const { key } = await addIngestKey(stack.sql, projectId);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const span = {
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      name: 'late',
      startTimeUnixNano: `${Date.now()}000000`,
      endTimeUnixNano: `${Date.now()}000001`,
    };
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    await proxy.stop();
    const refused = await stack.fetch('/v1/traces', { method: 'POST', headers, body });
    expect([refused.status, refused.headers.get('Retry-After'), await refused.json()]).toMatchObject([
      503,
      '2',
      { code: 14 },
    ]);
    await proxy.start();
    const stored = await stack.fetch('/v1/traces', { method: 'POST', headers, body });
    expect([stored.status, await stored.json()]).toEqual([200, {}]);
  });
});

describe('Redis away', () => {
  const stack = useOwnStack({ vars: { UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9' } });

  test('telemetry is taken as ever, beyond what an isolate counts by itself', async () => {
    const { projectId } = await createTenant(stack().sql);
    const { key } = await addIngestKey(stack().sql, projectId);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    for (let sent = 0; sent < 80; sent += 1) {
      const response = await stack().fetch('/v1/logs', { method: 'POST', headers, body: '{}' });
      expect([response.status, await response.json()]).toEqual([200, {}]);
    }
  });
});
