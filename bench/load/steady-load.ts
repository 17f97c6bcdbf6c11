/** Sends requests at even intervals, whether or not earlier ones are answered, over a bounded number of connections. */
import { Agent, request as sendRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../median.ts';
import type { LoadJob, LoadResult } from './load-job.ts';

export interface Parts {
  headers: Record<string, string>;
  body: string;
}

const TICK_MS = 10;
/** Then a request counts as lost. */
const DEADLINE_MS = 30_000;

/** A request that finds no free connection is held back: it is counted and never sent. */
export async function sendSteadily(
  { url, connections, seconds, perSecond, status }: LoadJob & { perSecond: number },
  make: () => Parts,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  const open = new Set<Promise<void>>();
  let heldBack = 0;
  const begun = performance.now();
  for (let sent = 0, elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - begun) {
    for (; sent < (elapsed / 1000) * perSecond; sent += 1) {
      if (open.size >= connections) {
        heldBack += 1;
        continue;
      }
      const start = performance.now();
      const answer = answerOf(url, agent, make()).then((name) => {
        statuses[name] = (statuses[name] ?? 0) + 1;
        took.push(performance.now() - start);
        open.delete(answer);
      });
      open.add(answer);
    }
    await wait(TICK_MS);
  }
  const elapsed = (performance.now() - begun) / 1000;
  await Promise.all(open);
  agent.destroy();
  const { [`${status}`]: accepted = 0, ...others } = statuses;
  const of = (share: number): number => (took.length === 0 ? Number.NaN : quantile(took, share));
  return {
    accepted,
    others,
    heldBack,
    seconds: elapsed,
    medianMs: of(0.5),
    p95Ms: of(0.95),
    p99Ms: of(0.99),
  };
}

/** The status of the answer, or why there is none. */
function answerOf(url: string, agent: Agent, { headers, body }: Parts): Promise<string> {
  return new Promise((resolve) => {
    const length = { 'Content-Length': `${Buffer.byteLength(body)}` };
    const request = sendRequest(
      url,
      { method: 'POST', agent, headers: { ...headers, ...length }, signal: AbortSignal.timeout(DEADLINE_MS) },
      (response) => {
        response.resume();
        response.on('end', () => resolve(`${response.statusCode}`));
        response.on('error', () => resolve('broken connections'));
      },
    );
    request.on('error', () => resolve('broken connections'));
    request.end(body);
  });
}
