import type { IncomingHttpHeaders } from 'node:http';
import { sayOnce } from '../say.ts';

/** Origins of pages, such as `https://shop.example`, out of a list or a text with commas. What is none is said and left out. */
export function readPageOrigins(given: unknown): ReadonlySet<string> {
  const texts = typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : [];
  const origins = new Set<string>();
  for (const text of texts.map((one) => String(one).trim()).filter((one) => one !== '')) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) origins.add(url.origin);
    else
      sayOnce(
        `VENDOR_PAGE_ORIGINS has "${text.slice(0, 100)}", which is no origin such as https://shop.example; it is left out.`,
      );
  }
  return origins;
}

/**
 * The listed origin of the page that asks by script; `undefined` where there is none, or where its visitor objects by Global Privacy
 * Control or Do Not Track.
 */
export function findPageOrigin(
  headers: IncomingHttpHeaders,
  origins: ReadonlySet<string>,
): string | undefined {
  const { origin, host, referer } = headers;
  if (headers['sec-gpc'] === '1' || headers.dnt === '1') return undefined;
  // Documents, images and the like: no script reads their headers. Older browsers don't say.
  if ((headers['sec-fetch-dest'] ?? 'empty') !== 'empty') return undefined;
  if (origin !== undefined) return origins.has(origin) ? origin : undefined;
  // Of a GET on the page's own origin browsers say no more than this.
  if (headers['sec-fetch-site'] !== 'same-origin') return undefined;
  if (origins.has(`https://${host}`)) return `https://${host}`;
  if (origins.has(`http://${host}`)) return `http://${host}`;
  // Behind a proxy that names another host.
  for (const listed of origins) if (referer?.startsWith(`${listed}/`)) return listed;
  return undefined;
}
