/** Warns where a proxy stands in front that isn't trusted: all its clients would count as one visitor. */
import type { IncomingMessage } from 'node:http';
import { type IsTrusted, peerOf } from './client-address.ts';

/** This number of requests from one address with a proxy's header, and none without. */
const REQUESTS = 20;

export function watchProxies(
  isTrusted: IsTrusted,
  log: (line: string) => void,
): (incoming: IncomingMessage) => void {
  let peer: string | undefined;
  let seen = 0;
  let isDecided = false;
  return (incoming) => {
    if (isDecided) return;
    const { headers } = incoming;
    const address = peerOf(incoming);
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    peer ??= address;
    if (address === '' || address !== peer || isTrusted(address) || !isForwarded) {
      isDecided = true;
      return;
    }
    seen += 1;
    if (seen < REQUESTS) return;
    isDecided = true;
    log(
      `WARNING: all ${REQUESTS} requests so far come from ${address}, and each has a proxy's header, which isn't believed: everybody ` +
        `counts as one visitor. If ${address} is your proxy, start with TRUSTED_PROXIES=${address}`,
    );
  };
}
