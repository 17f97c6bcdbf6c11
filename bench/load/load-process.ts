/** A separate process that generates load, so that load and answers don't share a thread. */
import { randomInt } from 'node:crypto';
import autocannon from 'autocannon';
import { median, quantile } from '../median.ts';
import { makeUmamiPageView } from '../peers/umami-page-view.ts';
import { everyAddress } from './load-address.ts';
import type { LoadJob, LoadRequest, LoadResult } from './load-job.ts';
import { makePageView } from './page-view.ts';
import { type Parts, sendSteadily } from './steady-load.ts';

/** The process stops only at the end of such a period. */
const SAMPLE_MS = 100;

process.on('message', async (job: LoadJob) => {
  process.send?.(
    await (job.perSecond === undefined
      ? load(job)
      : sendSteadily({ ...job, perSecond: job.perSecond }, requestMaker(job.request))),
  );
});
process.on('disconnect', () => process.exit());

async function load({ url, connections, seconds, request, status }: LoadJob): Promise<LoadResult> {
  const took: number[] = [];
  const make = requestMaker(request);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    method: 'POST',
    requests: [{ setupRequest: (plain) => ({ ...plain, ...make() }) }],
    // autocannon's own statistics have only whole milliseconds.
    setupClient: (client) => client.on('response', (_status, _bytes, ms) => took.push(ms)),
  });
  const { [status]: accepted, ...others } = countStatuses(result);
  if (result.errors > 0) others['broken connections'] = result.errors;
  return {
    accepted: accepted ?? 0,
    others,
    heldBack: 0,
    medianMs: median(took),
    p95Ms: quantile(took, 0.95),
    p99Ms: quantile(took, 0.99),
    seconds: result.duration,
  };
}

const addresses = everyAddress();

function requestMaker(request: LoadRequest): () => Parts {
  if ('siteIds' in request) {
    const { siteIds } = request;
    return () => makePageView(siteIds[randomInt(siteIds.length)] as string);
  }
  if ('websiteId' in request) return () => makeUmamiPageView(request.websiteId);
  const { headers, body } = request;
  return () => ({ headers: { ...headers, 'X-Forwarded-For': addresses.next().value }, body });
}

function countStatuses({ statusCodeStats = {} }: autocannon.Result): Record<string, number> {
  return Object.fromEntries(
    Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count]),
  );
}
