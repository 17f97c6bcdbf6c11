/** Shops on Express 5 and Fastify 5: they answer as without the SDK, and each request has the name of its route. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { playService } from './play-service.ts';
import { REGISTER, runApp, variables } from './run-app.ts';

const app = (name: string): string => fileURLToPath(new URL(`apps/${name}`, import.meta.url));

/** Name, status and whether the span is an error. */
type Request = [name: string, status: number, error?: 'error'];

const REQUESTS = (pattern: string): Request[] => [
  ['GET /orders/:id', 200],
  ['POST /orders', 201],
  ['GET /stream', 200],
  ['GET /throws', 500, 'error'],
  ['GET /rejects', 500, 'error'],
  ['GET /first', 200],
  ['GET /second', 200],
  [pattern, 200],
  ['GET /api/items/:item', 200],
  ['GET /api/broken/:item', 500, 'error'],
  ['GET', 404],
  ['HEAD /orders/:id', 200],
];

test.each<[framework: string, program: string, requests: Request[]]>([
  ['Express 5', app('express-shop.mjs'), REQUESTS('GET /^\\/pattern/')],
  ['Fastify 5', app('fastify-shop.mjs'), REQUESTS('GET /pattern*')],
])('%s', async (_framework, program, requests) => {
  const service = await playService();
  try {
    const bare = await runApp(program);
    expect(bare).toMatchObject({ said: [], end: 0 });
    expect(bare.stdout).toContain('["/stream",200,"one two three"]');
    const ours = await runApp(program, { args: REGISTER, env: variables(service.url) });
    expect(ours).toEqual(bare);

    const { spans } = service;
    const servers = spans.filter(({ kind }) => kind === 2);
    const made = servers.map(({ name, attributes, statusCode }) => [
      name,
      attributes['http.response.status_code'],
      ...(statusCode === 2 ? ['error'] : []),
    ]);
    expect(made).toEqual(requests);
    for (const { traceId, parentSpanId } of servers)
      expect(spans.find(({ spanId }) => spanId === parentSpanId)).toMatchObject({ kind: 3, traceId });
    expect(spans).toHaveLength(2 * servers.length);
    expect(JSON.stringify(spans)).not.toContain('secret');
  } finally {
    service.close();
  }
});
