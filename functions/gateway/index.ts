/**
 * One address for all functions, for deployments without a zone: forwards a request unchanged to the function that the edge's routes would
 * choose, and adds itself to the service's health. It is bound to what is public alone: not to the entrypoints by which functions call
 * each other.
 */
import { addGateway } from '../../lib/http/service-health.ts';
import { findBinding } from './find-binding.ts';
import type { routes } from './routes.generated.ts';

type Bindings = Record<(typeof routes)[number]['binding'], { fetch(request: Request): Promise<Response> }>;

const HEALTH = '/api/health';

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname } = new URL(request.url);
    const answer = env[findBinding(pathname)].fetch(request);
    return pathname === HEALTH ? addGateway(await answer) : answer;
  },
};
