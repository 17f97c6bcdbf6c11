/**
 * Stands in for the edge in front of the gateway: sets a request's country and client address from headers that the developer
 * chooses, and serves the demo site and what was built of the dashboard since the start. All other requests go to the gateway unchanged.
 */
import { answerDemo } from './demo.ts';
import { passOn, type Service } from './pass-on.ts';
import { answerFiles, withFiles } from './rebuilt-app.ts';

interface Bindings {
  GATEWAY: Service;
  DEMO_SITE_ID?: string;
  /** Where the dashboard's files are that were built since the start. */
  APP_ORIGIN?: string;
}

export default {
  async fetch(request: Request, { GATEWAY, DEMO_SITE_ID, APP_ORIGIN }: Bindings): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/demo' || pathname.startsWith('/demo/')) return answerDemo(request, DEMO_SITE_ID);
    const built = APP_ORIGIN === undefined ? undefined : await answerFiles(request, APP_ORIGIN);
    if (built !== undefined) return built;
    const response = await passOn(request, GATEWAY);
    if (pathname.startsWith('/app/')) return compressed(request, response);
    return APP_ORIGIN === undefined ? response : withFiles(response, APP_ORIGIN);
  },
};

/** The dashboard's files as the platform's edge compresses them: workerd does it for whoever names the coding. */
function compressed(request: Request, response: Response): Response {
  const isText = response.headers.get('Content-Type')?.startsWith('text/') === true;
  if (request.method !== 'GET' || response.status !== 200 || !isText) return response;
  if (!request.headers.get('Accept-Encoding')?.includes('gzip')) return response;
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  headers.set('Content-Encoding', 'gzip');
  return new Response(response.body, { headers });
}
