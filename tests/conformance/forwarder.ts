/**
 * An HTTP proxy that gives each request another client address, because the suite sends more requests than one client may send per
 * minute, and a token where one is needed, because the suite sends none.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Forwarder {
  url: string;
  /** Where requests go. Set it before the first one. */
  target: string | undefined;
  /** Tokens that requests take turns with. None: no `Authorization`. */
  tokens: readonly string[];
  close(): Promise<void>;
}

/** Forwards everything else unchanged, including `Host` and `Origin`. */
export async function startForwarder(): Promise<Forwarder> {
  let forwarded = 0;
  const server = createServer((incoming, outgoing) => {
    if (forwarder.target === undefined) throw new Error('startForwarder: `target` is not set');
    forwarded += 1;
    const token = forwarder.tokens[forwarded % forwarder.tokens.length];
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = {
      ...incoming.headers,
      ...bearer,
      'x-forwarded-for': `198.18.${forwarded >> 8}.${forwarded & 255}`,
    };
    const url = new URL(incoming.url ?? '/', forwarder.target);
    // Without an agent, because the other side might close a kept connection while it is used again.
    const onward = request(
      url,
      { method: incoming.method, headers, setHost: false, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const forwarder: Forwarder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: undefined,
    tokens: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return forwarder;
}
