import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answer {
  status: number;
  /** JSON text. */
  body: string;
}

export interface Endpoint {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  origin: string;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Longer than our clients keep an idle connection, so that the server never closes one while a request is being sent. */
const KEEP_ALIVE_MS = 120_000;

/**
 * Listens only on 127.0.0.1 (port 0: any free port) and answers JSON. An error of the handler is a defect: it is printed, and the
 * caller gets an empty 500.
 */
export async function serve(
  port: number,
  handle: (request: IncomingMessage) => Promise<Answer>,
): Promise<Endpoint> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    handle(request).then(
      (answer) => send(response, answer),
      (error: unknown) => {
        if (request.destroyed && !request.complete) return;
        console.error(error);
        send(response, { status: 500, body: '{"error":"internal error","message":"internal error"}' });
      },
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${actualPort}`,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.byteLength });
  response.end(bytes);
}
