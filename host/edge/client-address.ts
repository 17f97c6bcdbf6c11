/** Finds the client's address: that of the connection, or what trusted proxies say. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Whether an address is that of a proxy whose headers are believed. */
export type IsTrusted = (address: string) => boolean;

/** @param cidrs networks (`10.0.0.0/8`) and addresses; throws a sentence that names the invalid one */
export function trustedProxies(cidrs: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits, ...rest] = cidr.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const length = bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits);
    const isValid =
      isIP(address) !== 0 &&
      rest.length === 0 &&
      /^\d{1,3}$/.test(bits ?? '0') &&
      length <= (family === 'ipv6' ? 128 : 32);
    if (!isValid) throw new Error(`${JSON.stringify(cidr)} is no address and no network such as 10.0.0.0/8`);
    list.addSubnet(address, length, family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * Walks from the connection towards the client as long as each hop is trusted. `X-Forwarded-For` is read first, since proxies that write it
 * pass a client's own `Forwarded` on. A connection over a Unix socket has no address and is trusted.
 */
export function clientAddressOf(incoming: IncomingMessage, isTrusted: IsTrusted): string {
  const peer = peerOf(incoming);
  if (peer !== '' && !isTrusted(peer)) return peer;
  const { 'x-forwarded-for': list, forwarded } = incoming.headers;
  const hops = list !== undefined ? [list].flat().join(',').split(',').map(hopOf) : hopsOf(forwarded);
  let client = peer;
  for (const hop of hops.reverse()) {
    if (hop === undefined) break;
    client = hop;
    if (!isTrusted(hop)) break;
  }
  return client === '' ? '127.0.0.1' : client;
}

/** The address of the connection; empty for a Unix socket. */
export const peerOf = ({ socket }: IncomingMessage): string => plain(socket.remoteAddress ?? '');

/** The `for` of each hop (RFC 7239), the client's first. */
const hopsOf = (forwarded: string | undefined): (string | undefined)[] =>
  forwarded === undefined
    ? []
    : forwarded.split(',').map((hop) => hopOf(/(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(hop)?.[1] ?? ''));

/** An address of a list: with a port, in brackets or quotes, or neither. Undefined if it's no address, such as `unknown`. */
function hopOf(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : plain(address);
}

/** An IPv4 address of a socket for both families is written as `::ffff:192.0.2.1`. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
