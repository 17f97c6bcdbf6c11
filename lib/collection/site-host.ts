const MAX_HOST_LENGTH = 253;
const LOOPBACKS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The host of an http(s) URL in lower-case ASCII form without a final dot; absent for any other URL. */
export function webHost(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  return host === '' || host.length > MAX_HOST_LENGTH ? undefined : host;
}

/**
 * Whether a host is the site's: its domain, with or without `www.`, or below it. A site whose domain is `localhost` also
 * takes the names and addresses of the loopback (docs/tracker-protocol.md#what-is-dropped).
 */
export function isSiteHost(host: string, domain: string): boolean {
  if (domain === 'localhost' && LOOPBACKS.has(host)) return true;
  return withoutWww(host) === withoutWww(domain) || host.endsWith(`.${domain}`);
}

export const withoutWww = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);
