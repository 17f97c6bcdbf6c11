/** The ingest function, with `/tally`: the numbers of messages that arrived by the binding and from the queue. */
import ingest from '../../functions/ingest/index.ts';

const tally = { folded: 0, queued: 0 };

export default {
  ...ingest,
  async fetch(request: Request, env: object): Promise<Response> {
    if (new URL(request.url).pathname === '/tally') return Response.json(tally);
    const response = await ingest.fetch(request, env);
    if (response.ok) tally.folded += 1;
    return response;
  },
  async queue(...args: Parameters<typeof ingest.queue>): Promise<void> {
    tally.queued += args[0].messages.length;
    await ingest.queue(...args);
  },
};
