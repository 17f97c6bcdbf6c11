/** A separate process that generates load, so that load and answers don't share a thread. */
import autocannon from 'autocannon';
import { median, quantile } from '../median.ts';
import { everyAddress } from './load-address.ts';
import type { LoadJob, LoadRequest, LoadResult } from './load-job.ts';
import { makePageView } from './page-view.ts';

/** The process stops only at the end of such a period. */
const SAMPLE_MS = 100;

process.on('message', async (job: LoadJob) => {
  process.send?.(await load(job));
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
    medianMs: median(took),
    p99Ms: quantile(took, 0.99),
    seconds: result.duration,
  };
}

interface Parts {
  headers: Record<string, string>;
  body: string;
}

const addresses = everyAddress();

function requestMaker(request: LoadRequest): () => Parts {
  if ('siteId' in request) return () => makePageView(request.siteId);
  const { headers, body } = request;
  return () => ({ headers: { ...headers, 'X-Forwarded-For': addresses.next().value }, body });
}

function countStatuses({ statusCodeStats = {} }: autocannon.Result): Record<string, number> {
  return Object.fromEntries(
    Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count]),
  );
}
