import { makePageView, type PageViewRequest } from '../load/page-view.ts';

/** The same page views as `makePageView` makes, as Umami's script sends them. The country comes by Cloudflare's header. */
export function makeUmamiPageView(websiteId: string): PageViewRequest {
  const { headers, body } = makePageView('');
  const { events } = JSON.parse(body);
  const { url, referrer, title, language, screen } = events[0];
  const { 'X-Dev-Country': country = '', ...others } = headers;
  return {
    headers: { ...others, 'Content-Type': 'application/json', 'CF-IPCountry': country },
    body: JSON.stringify({
      type: 'event',
      payload: {
        website: websiteId,
        hostname: new URL(url).hostname,
        url,
        referrer,
        title,
        language,
        screen,
      },
    }),
  };
}
