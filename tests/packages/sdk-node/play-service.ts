/** An HTTP server that stands in for the service: it answers as a test says, and keeps what it was sent. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import type { LogRow, ResourceRow, SpanRow } from '../../../lib/otlp/rows.ts';

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

/**
 * `hang`: no answer ever. `cut`: the connection is closed in the middle of one. `close`: it is closed before one. `number` counts the requests
 * of the path from 1.
 */
export type Reply = (request: {
  path: string;
  number: number;
  bytes: number;
}) => Answer | 'hang' | 'cut' | 'close';

export interface PlayedService {
  url: string;
  /** Paths of the requests, in their order, and `closed <path>` where the sender gave up. */
  events: string[];
  /** What was in requests that it answered with 200. */
  spans: SpanRow[];
  logs: LogRow[];
  resources: ResourceRow[];
  metrics: Set<string>;
  /** How many connections were opened. */
  connections(): number;
  close(): void;
}

export const TAKES: Reply = () => ({ status: 200, headers: { 'Content-Type': 'application/x-protobuf' } });

export async function playService(reply: Reply = TAKES): Promise<PlayedService> {
  const numbers = new Map<string, number>();
  const kept = { events: [] as string[], spans: [] as SpanRow[], logs: [] as LogRow[] };
  const resources: ResourceRow[] = [];
  const metrics = new Set<string>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const number = (numbers.get(path) ?? 0) + 1;
    numbers.set(path, number);
    kept.events.push(path);
    response.on('close', () => {
      if (!response.writableFinished) kept.events.push(`closed ${path}`);
    });
    const sent = await buffer(request).catch(() => undefined);
    if (sent === undefined) return;
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const answer = reply({ path, number, bytes: body.length });
    if (answer === 'hang') return;
    if (answer === 'cut') return cut(response);
    if (answer === 'close') return void request.socket.destroy();
    if (answer.status === 200) keep(path, body);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });

  function keep(path: string, body: Buffer): void {
    if (path === '/v1/traces') {
      const batch = decodeTraces(body, 'protobuf');
      kept.spans.push(...batch.spans);
      resources.push(...batch.resources);
    } else if (path === '/v1/logs') kept.logs.push(...decodeLogs(body, 'protobuf').logs);
    else if (path === '/v1/metrics')
      for (const { name } of decodeMetrics(body, 'protobuf').metrics) metrics.add(name);
  }

  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...kept,
    resources,
    metrics,
    connections: () => connections,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': '100' });
  response.write('half', () => response.destroy());
}
