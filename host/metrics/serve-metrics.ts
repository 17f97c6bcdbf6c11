import * as v from 'valibot';
import { type ListenAddress, type Listening, listen } from '../edge/listen.ts';
import type { Queue } from '../queue/open-queue.ts';
import type { Service } from '../service.ts';
import type { Counts } from './counts.ts';
import { Health, renderMetrics } from './render-metrics.ts';

export interface MetricsSources {
  service: Service;
  queue: Queue;
  readCounts(): Counts;
}

/** Answers `GET /metrics`, and nothing else, on a port or socket of its own. */
export function serveMetrics(
  at: ListenAddress,
  sources: MetricsSources,
  onError: (error: unknown) => void,
): Promise<Listening> {
  return listen({
    at,
    clientOf: () => ({ address: '127.0.0.1', origin: {} }),
    onError,
    answer: async (request) => {
      if (new URL(request.url).pathname !== '/metrics')
        return new Response('GET /metrics\n', { status: 404 });
      if (request.method !== 'GET') return new Response(null, { status: 405, headers: { Allow: 'GET' } });
      return new Response(await readMetrics(sources), {
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
      });
    },
  });
}

async function readMetrics({ service, queue, readCounts }: MetricsSources): Promise<string> {
  const [health, queues, deadLetters] = await Promise.all([
    service.answer(new Request('http://localhost/api/health'), '').then((answer) => answer.json()),
    queue.depths(),
    service.neon
      .withClient((client) =>
        client.query<{ count: number }>('select count(*)::integer as count from dead_letters'),
      )
      .then(({ rows }) => rows[0]?.count)
      .catch(() => undefined),
  ]);
  const read = v.safeParse(Health, health);
  return renderMetrics({
    counts: readCounts(),
    queues,
    health: read.success ? read.output.data : { functions: [] },
    deadLetters,
  });
}
