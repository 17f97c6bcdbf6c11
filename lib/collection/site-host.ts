const MAX_HOST_LENGTH = 253;
const LOOPBACKS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The host of an http(s) URL in lower-case ASCII form without a final dot; absent for any other URL. */
export function webHost(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  return host === '' || host.length > MAX_HOST_LENGTH ? undefined : host;
}

/**
 * Whether a host is the site's: one of its domains, with or without `www.`, or below one. A site with the domain `localhost` also
 * takes the names and addresses of the loopback (docs/tracker-protocol.md#what-is-dropped).
 */
export const isSiteHost = (host: string, domains: readonly string[]): boolean =>
  domains.some(
    (domain) =>
      (domain === 'localhost' && LOOPBACKS.has(host)) ||
      withoutWww(host) === withoutWww(domain) ||
      host.endsWith(`.${domain}`),
  );

/** All domains of a site. */
export const domainsOf = (site: { domain: string; domains: readonly string[] }): string[] => [
  site.domain,
  ...site.domains,
];

export const withoutWww = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);
