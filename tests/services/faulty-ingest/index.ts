/** The ingest function with faults: a call by the binding fails if a message says so, before anything or after everything is stored. */
import { Messages as Stored } from '../../../functions/ingest/index.ts';

export { default, Health } from '../../../functions/ingest/index.ts';

export const Messages = {
  async fetch(request: Request, env: object): Promise<Response> {
    const body = await request.clone().text();
    if (body.includes('/fails-before')) throw new Error('as the test says, before');
    const response = await Stored.fetch(request, env);
    if (body.includes('/fails-after')) throw new Error('as the test says, after');
    return response;
  },
};
