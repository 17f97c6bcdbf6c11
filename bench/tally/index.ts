/**
 * The ingest function, with `/tally`: the numbers of messages that arrived by the binding and from the queue. Every other path takes
 * messages, as the entrypoint does.
 */
import ingest, { Messages as Counted, Health } from '../../functions/ingest/index.ts';

const tally = { folded: 0, queued: 0 };

export { Health };

export const Messages = {
  async fetch(request: Request, env: object): Promise<Response> {
    const response = await Counted.fetch(request, env);
    if (response.ok) tally.folded += 1;
    return response;
  },
};

export default {
  ...ingest,
  fetch: async (request: Request, env: object): Promise<Response> =>
    new URL(request.url).pathname === '/tally' ? Response.json(tally) : Messages.fetch(request, env),
  async queue(...args: Parameters<typeof ingest.queue>): Promise<void> {
    tally.queued += args[0].messages.length;
    await ingest.queue(...args);
  },
};
