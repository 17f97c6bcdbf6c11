/**
 * One address without a zone of one's own: hands a request to the function that the edge's routes would choose, as it
 * came. Only public routes are in the table, so `/internal/*` ends at the catch-all's 404.
 */
import { findBinding } from './find-binding.ts';
import type { routes } from './routes.generated.ts';

type Bindings = Record<(typeof routes)[number]['binding'], { fetch(request: Request): Promise<Response> }>;

export default {
  fetch(request: Request, env: Bindings): Promise<Response> {
    return env[findBinding(new URL(request.url).pathname)].fetch(request);
  },
};
