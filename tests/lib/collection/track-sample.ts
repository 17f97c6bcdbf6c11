import type { TrackEvent, TrackRequest } from '../../../lib/collection/track-request.ts';

const id = () => crypto.randomUUID();

/** The id of what is left of a refused event: another digit says the version. */
export const refusedId = (of: string): string =>
  of.replace(/^(.{14})(.)/, (_, before, digit) => before + (Number.parseInt(digit, 16) ^ 8).toString(16));

/** One event of each type, with all fields of the protocol. */
export function sampleEvents(host = 'example.com'): TrackEvent[] {
  const pageId = id();
  const url = `https://${host}/shop?utm_source=newsletter&secret=1`;
  return [
    {
      id: id(),
      type: 'pageview',
      pageId,
      url,
      referrer: 'https://www.google.com/',
      title: 'Shop',
      language: 'en-us',
      screen: '1920x1080',
      props: { theme: 'dark' },
    },
    {
      id: id(),
      type: 'event',
      pageId,
      name: 'buy',
      url,
      props: { sku: 'S1', count: 2, gift: true },
      revenue: { amount: '12.34', currency: 'EUR' },
      interactive: false,
    },
    { id: id(), type: 'engagement', pageId, seconds: 12.5, scrollDepth: 80 },
    { id: id(), type: 'vitals', pageId, url, lcp: 1200.5, inp: 80, cls: 0.01, fcp: 900, ttfb: 120 },
    {
      id: id(),
      type: 'association',
      pageId,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      origin: 'https://api.example.com',
      status: 200,
      sent: true,
    },
  ];
}

export function sampleRequest(changes: Partial<TrackRequest> = {}): TrackRequest {
  return { site: id(), events: sampleEvents(), ...changes };
}
