/**
 * Stands for the edge before the gateway: gives a request its country and its client address as the edge would, from
 * headers of the developer's choice, and serves the demo site. Everything else goes to the gateway as it came.
 */
import { answerDemo } from './demo.ts';
import { keepDrainable } from './drain.ts';

interface Bindings {
  GATEWAY: { fetch(request: Request): Promise<Response> };
  DEMO_SITE_ID?: string;
}

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === '/demo' || url.pathname.startsWith('/demo/'))
      return answerDemo(request, env.DEMO_SITE_ID);
    const { request: drainable, drain } = keepDrainable(request);
    try {
      const response = await env.GATEWAY.fetch(asFromEdge(drainable));
      await drain();
      return response;
    } catch (error) {
      console.error('uncaught:', error);
      return new Response('Internal error\n', { status: 500 });
    }
  },
};

/** The request with `cf.country` and `CF-Connecting-IP`, and without the headers that told them. */
function asFromEdge(request: Request): Request {
  const headers = new Headers(request.headers);
  const country = headers.get('X-Dev-Country');
  const address = headers.get('X-Forwarded-For')?.split(',')[0]?.trim() || '127.0.0.1';
  headers.delete('X-Dev-Country');
  headers.delete('X-Forwarded-For');
  headers.set('CF-Connecting-IP', address);
  const init: RequestInit & { cf: { country?: string } } = {
    headers,
    cf: country === null ? {} : { country },
  };
  return new Request(request, init);
}
