const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Characters that a host name can't have (scheme, port, path, user-info, IPv6), or that make a URL parser guess. */
const MORE_THAN_A_HOST = /[\s/\\:@?#[\]%<>^|]/u;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Returns the host name in its stored form: lower-case ASCII (`xn--` for internationalised names), without a final dot. Accepts
 * `localhost`, dotted names and IPv4 addresses; returns undefined for anything else (docs/sites.md#fields-of-a-site).
 */
export function normaliseDomain(input: string): string | undefined {
  if (input.length > MAX_LENGTH || MORE_THAN_A_HOST.test(input)) return undefined;
  const written = input.endsWith('.') ? input.slice(0, -1) : input;
  if (!URL.canParse(`http://${written}/`)) return undefined;
  const host = new URL(`http://${written}/`).hostname;
  if (host.length > MAX_LENGTH) return undefined;
  // URL parsers read `0x7f.1` and `2130706433` as 127.0.0.1; an address must be written in full.
  if (IPV4.test(host)) return host === written ? host : undefined;
  const labels = host.split('.');
  if (labels.length === 1 && host !== 'localhost') return undefined;
  return labels.every((label) => LABEL.test(label)) ? host : undefined;
}
