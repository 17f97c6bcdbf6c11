const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What makes more than a host name of it (scheme, port, path, user-info, IPv6), or lets a URL parser guess. */
const MORE_THAN_A_HOST = /[\s/\\:@?#[\]%<>^|]/u;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * The host name as it is stored: lower-case ASCII (internationalised names in their `xn--` form), without a final dot.
 * Takes `localhost`, dotted names and IPv4 addresses; undefined for anything else (docs/sites.md#fields-of-a-site).
 */
export function normaliseDomain(input: string): string | undefined {
  if (input.length > MAX_LENGTH || MORE_THAN_A_HOST.test(input)) return undefined;
  const written = input.endsWith('.') ? input.slice(0, -1) : input;
  if (!URL.canParse(`http://${written}/`)) return undefined;
  const host = new URL(`http://${written}/`).hostname;
  if (host.length > MAX_LENGTH) return undefined;
  // A URL takes `0x7f.1` and `2130706433` for 127.0.0.1: whoever means an address writes it in full.
  if (IPV4.test(host)) return host === written ? host : undefined;
  const labels = host.split('.');
  if (labels.length === 1 && host !== 'localhost') return undefined;
  return labels.every((label) => LABEL.test(label)) ? host : undefined;
}
