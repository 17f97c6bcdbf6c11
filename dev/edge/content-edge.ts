/** Stands for the edge before the content service, which has a host, and here a port, of its own. */
import { passOn, type Service } from './pass-on.ts';

export default {
  fetch: (request: Request, env: { CONTENT: Service }): Promise<Response> => passOn(request, env.CONTENT),
};
