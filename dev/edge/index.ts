/**
 * Stands for the edge before the gateway: gives a request its country and its client address as the edge would, from
 * headers of the developer's choice, and serves the demo site. Everything else goes to the gateway as it came.
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
