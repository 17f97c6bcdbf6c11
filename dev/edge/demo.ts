/** The demo site: a small shop for guitar parts that shows every kind of event and every tier. */
import { GAUGES, pages } from './demo-pages.ts';
import { renderPage } from './demo-render.ts';

/** `GET /demo` and the pages below it. They load the demo site's tracker if the site exists. */
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
