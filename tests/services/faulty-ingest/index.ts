/** The ingest function, whose way by a binding fails where a message says so: before anything is stored, or after all is. */
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
