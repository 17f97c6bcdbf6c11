/** A receiver of webhooks on this machine: keeps what it gets and answers what it is given. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

export async function startReceiver(reply: (got: Received, before: number) => Reply | Promise<Reply>) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() };
    const before = received.length;
    received.push(got);
    const { status, body = '', headers = {} } = await reply(got, before);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
