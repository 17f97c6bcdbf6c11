/**
 * A stand-in for the provider's API on this machine, for wrangler and for `tooling/provider`: it keeps what is uploaded, records each
 * request, and can fail one. Wrangler takes its address from CLOUDFLARE_API_BASE_URL.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Account, answerRequest, newAccount } from './provider-account.ts';

export interface RecordedRequest {
  method: string;
  /** Without the base and the query. */
  path: string;
  query: string;
  /** Names at the top of a JSON body, or of the metadata of an upload. */
  fields: string[];
  /** Whether the stand-in failed it on purpose. */
  failed: boolean;
}

/** 500 before or after the request is carried out, no answer at all, or a connection that is dropped. */
export type Failure = 'error' | 'error after' | 'silence' | 'drop' | 'drop after';
export type FailRequest = (request: { method: string; path: string }) => Failure | undefined;

export interface StandIn {
  baseUrl: string;
  token: string;
  account: Account;
  requests: RecordedRequest[];
  /** Decides which request fails. Undefined: none. */
  failWhen(fail: FailRequest | undefined): void;
  close(): Promise<void>;
}

const BASE = '/client/v4';

export async function startProvider(): Promise<StandIn> {
  const account = newAccount();
  const requests: RecordedRequest[] = [];
  const token = 'a-token-of-the-stand-in';
  let fail: FailRequest | undefined;
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const { method = 'GET' } = request;
    const path = url.pathname.slice(BASE.length);
    const failure = fail?.({ method, path });
    const isKnown =
      request.headers.authorization === `Bearer ${token}` ||
      path.startsWith(`/accounts/${account.id}/workers/assets/`);
    const carried =
      failure === undefined || failure.endsWith('after')
        ? await answerRequest(account, {
            ...{ method, path, query: url.searchParams, body, isKnown },
            type: request.headers['content-type'] ?? '',
          })
        : undefined;
    requests.push({
      ...{ method, path, query: url.search, failed: failure !== undefined },
      fields: carried?.fields ?? [],
    });
    if (failure === 'silence') return;
    if (failure?.startsWith('drop')) return void request.socket.destroy();
    if (failure !== undefined || carried === undefined)
      return send(response, 500, {
        success: false,
        errors: [{ code: 10013, message: 'Unknown error' }],
        messages: [],
        result: null,
      });
    send(response, carried.status, carried.answer);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${BASE}`,
    ...{ token, account, requests },
    failWhen: (next) => {
      fail = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
