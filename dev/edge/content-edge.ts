/** Stands in for the edge in front of the content service, which has its own host; here it has its own port. */
import { passOn, type Service } from './pass-on.ts';

export default {
  fetch: (request: Request, env: { CONTENT: Service }): Promise<Response> => passOn(request, env.CONTENT),
};
