/** The ingest function with faults: a call by the binding fails if a message says so, before anything or after everything is stored. */
import ingest from '../../../functions/ingest/index.ts';

export default {
  ...ingest,
  async fetch(request: Request, env: object): Promise<Response> {
    const body = await request.clone().text();
    if (body.includes('/fails-before')) throw new Error('as the test says, before');
    const response = await ingest.fetch(request, env);
    if (body.includes('/fails-after')) throw new Error('as the test says, after');
    return response;
  },
};
