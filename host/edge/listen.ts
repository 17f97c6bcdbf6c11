/** The HTTP server in front of the functions: sets what the edge would set, and chooses the function by the request's host. */

import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { getRequestListener } from '@hono/node-server';
import { compressed } from './compress.ts';
import type { Origin } from './origins.ts';
import { withDrainableBody } from './request-body.ts';

export interface Client {
  address: string;
  origin: Origin;
}

export interface ListenOptions {
  at: ListenAddress;
  /** Answers a request. `host` is in lower case, with its port. */
  answer(request: Request, host: string): Promise<Response>;
  clientOf(incoming: IncomingMessage): Client;
  /** Receives what an answer throws: a defect, or a client that went away. */
  onError(error: unknown): void;
}

export type ListenAddress = { host: string; port: number } | { socket: string };

export interface Listening {
  /** Takes no more connections; resolves when the answers under way are sent, or at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** Longer than proxies keep an idle connection, so that this side never closes one while a request is being sent. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_MS = 30_000;
const REQUEST_MS = 300_000;
const ADDRESS_HEADER = 'cf-connecting-ip';

/** Throws if the address is in use. */
export async function listen({ at, answer, clientOf, onError }: ListenOptions): Promise<Listening> {
  const listener = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      // The request reads its headers when it is asked for them.
      const { address, origin } = clientOf(incoming);
      setAddress(incoming, address);
      const drainable = Object.assign(withDrainableBody(request, incoming, outgoing), { cf: origin });
      return compressed(drainable, await answer(drainable, incoming.headers.host?.toLowerCase() ?? ''));
    },
    {
      // What is left unread is read to its end (request-body.ts); the library would close the connection.
      autoCleanupIncoming: false,
      errorHandler: (error) => {
        if (error instanceof Error && error.name === 'RequestError')
          return new Response('Bad request: the address or the host is malformed.\n', { status: 400 });
        onError(error);
        return new Response('Internal error\n', { status: 500 });
      },
    },
  );
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
    listener,
  );
  if ('socket' in at) await rm(at.socket, { force: true });
  server.listen('socket' in at ? { path: at.socket } : at);
  await once(server, 'listening');
  if ('socket' in at) await chmod(at.socket, 0o660);
  return {
    close: async (deadlineMs) => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(late);
    },
  };
}

/** Nobody but this host says what the client's address is. */
function setAddress({ headers, rawHeaders }: IncomingMessage, address: string): void {
  if (headers[ADDRESS_HEADER] !== undefined)
    for (let i = rawHeaders.length - 2; i >= 0; i -= 2)
      if (rawHeaders[i]?.toLowerCase() === ADDRESS_HEADER) rawHeaders.splice(i, 2);
  headers[ADDRESS_HEADER] = address;
  rawHeaders.push(ADDRESS_HEADER, address);
}
