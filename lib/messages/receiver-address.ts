/** Which addresses requests may go to (docs/messages.md#addresses). Users choose the addresses, so nothing private may be reached by them. */
import ipaddr from 'ipaddr.js';

/** Whether a receiver may be on the loopback interface, by http too: for the local start and tests. */
export type Loopback = 'refused' | 'allowed';

/** Global unicast addresses of IPv6 (RFC 4291). All else is local, reserved, or an IPv4 address in other letters. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the public internet: none that is private, loopback, link-local (cloud metadata), shared (CGNAT),
 * multicast, documentation or reserved, and none that stands for an IPv4 address (mapped, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.parse(text).range() === 'loopback';

/** Whether a request may be sent to an IP address that a name resolved to. */
export const mayReach = (address: string, loopback: Loopback): boolean =>
  isPublicAddress(address) || (loopback === 'allowed' && isLoopback(address));

/** Names that mean something of the network that one is in (RFC 6761, 6762, 8375, 9476). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|onion|home\.arpa)$/;
const FIRST_FREE_PORT = 1024;

/**
 * The rule that an address breaks, or undefined. Reads the address as `fetch` does, so that every spelling of a number is the same number.
 * What a name resolves to is checked when a request is sent (`mayReach`).
 */
export function refusalOfUrl(text: string, loopback: Loopback): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'must be an address like https://example.com/hooks';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isOwn = loopback === 'allowed' && (host === 'localhost' || isLoopback(host));
  if (url.protocol !== 'https:' && !(isOwn && url.protocol === 'http:')) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  if (isOwn) return undefined;
  if (url.port !== '' && Number(url.port) < FIRST_FREE_PORT)
    return 'must have the port 443, or one from 1024';
  const isPublic = ipaddr.isValid(host)
    ? isPublicAddress(host)
    : host.includes('.') && !host.endsWith('.') && !LOCAL_NAMES.test(host);
  return isPublic ? undefined : 'must be at a public host';
}
