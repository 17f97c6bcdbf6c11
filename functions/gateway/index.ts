/**
 * One address for all functions, for deployments without a zone: forwards a request unchanged to the function that the edge's routes would
 * choose. The table has only public routes, so `/internal/*` gets the catch-all's 404.
 */
import { findBinding } from './find-binding.ts';
import type { routes } from './routes.generated.ts';

type Bindings = Record<(typeof routes)[number]['binding'], { fetch(request: Request): Promise<Response> }>;

export default {
  fetch(request: Request, env: Bindings): Promise<Response> {
    return env[findBinding(new URL(request.url).pathname)].fetch(request);
  },
};
