/**
 * Takes the place of the edge in front of the gateway: sets a request's country and client address from headers that the developer
 * chooses, and serves the demo site. All other requests go to the gateway unchanged.
 */
import { answerDemo } from './demo.ts';
import { passOn, type Service } from './pass-on.ts';

interface Bindings {
  GATEWAY: Service;
  DEMO_SITE_ID?: string;
}

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === '/demo' || url.pathname.startsWith('/demo/'))
      return answerDemo(request, env.DEMO_SITE_ID);
    return passOn(request, env.GATEWAY);
  },
};
