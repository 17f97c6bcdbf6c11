/** The demo site: a small shop of guitar things, enough to see every kind of event and each tier. */
import { GAUGES, pages } from './demo-pages.ts';
import { renderPage } from './demo-render.ts';

/** `GET /demo` and the pages below it, with the tracker of the demo site on them if there is one. */
export function answerDemo(request: Request, siteId: string | undefined): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Method not allowed\n', { status: 405, headers: { Allow: 'GET, HEAD' } });
  }
  const { pathname } = new URL(request.url);
  if (pathname === GAUGES.path)
    return new Response(GAUGES.text, {
      headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment' },
    });
  const page = pages.find(({ path }) => path === pathname.replace(/\/$/, ''));
  return new Response(renderPage(page, siteId), {
    status: page === undefined ? 404 : 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
