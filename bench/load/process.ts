/** A process of its own that makes load, so that making it and answering it don't share one thread. */
import autocannon from 'autocannon';
import type { LoadJob, LoadResult } from './job.ts';
import { makePageView } from './page-view.ts';

process.on('message', async (job: LoadJob) => {
  process.send?.(await load(job));
});
process.on('disconnect', () => process.exit());

async function load({ url, connections, seconds, siteId }: LoadJob): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    requests: [{ setupRequest: (request) => ({ ...request, ...makePageView(siteId) }) }],
  });
  const { 202: accepted, ...others } = countStatuses(result);
  if (result.errors > 0) others['broken connections'] = result.errors;
  return { accepted: accepted ?? 0, others, seconds: result.duration };
}

function countStatuses({ statusCodeStats = {} }: autocannon.Result): Record<string, number> {
  return Object.fromEntries(
    Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count]),
  );
}
