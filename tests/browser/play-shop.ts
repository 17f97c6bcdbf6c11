/** A backend for pages of tests, on the page's own origin or on another one. It names a trace in each answer, as the SDK does. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach } from 'vitest';

export interface Asked {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

let traces = 0;
/** A new trace id, of which the digits count up. */
export function newTrace(): string {
  traces += 1;
  return traces.toString(16).padStart(32, '0');
}

/** The text of a `traceparent`. */
export const contextOf = (trace: string, flags = '01'): string => `00-${trace}-00f067aa0ba902b7-${flags}`;

const REDIRECT = 302;

/** Answers a request below `/shop/`; false if it is elsewhere. The query says what other origins may read and send. */
export function answerShop({ method, url, headers, body }: Asked, response: ServerResponse): boolean {
  const [, shop, what = ''] = url.pathname.split('/');
  if (shop !== 'shop') return false;
  const { searchParams: query } = url;
  if (query.has('cors')) {
    response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*');
    response.setHeader('Access-Control-Expose-Headers', query.get('cors') || 'Server-Timing');
    response.setHeader('Access-Control-Allow-Methods', 'GET, PUT');
    response.setHeader('Access-Control-Allow-Headers', query.get('allow') ?? 'x-own');
  }
  if (method === 'OPTIONS') response.writeHead(204).end();
  else if (what === 'cut') response.destroy();
  else if (what === 'hang') response.writeHead(200).write('begun');
  else if (what === 'to') response.writeHead(REDIRECT, { Location: query.get('url') ?? '' }).end();
  else {
    const timing = query.get('timing') ?? `db;dur=1, traceparent;desc="${contextOf(newTrace())}"`;
    if (timing !== '') response.setHeader('Server-Timing', timing);
    response.setHeader('X-Own', 'secret');
    response.writeHead(Number(query.get('status') ?? 200));
    if (what === 'pieces') writePieces(response);
    else response.end(what === 'echo' ? JSON.stringify(echoOf({ method, url, headers, body })) : 'ok');
  }
  return true;
}

function writePieces(response: ServerResponse): void {
  response.write('one ', () => setImmediate(() => response.write('two ', () => response.end('three'))));
}

/** What a request had, but for what differs from one to the next. */
function echoOf({ method, url, headers, body }: Asked): object {
  const { host, connection, 'user-agent': agent, traceparent, ...rest } = headers;
  const boundary = /boundary=(\S+)/.exec(rest['content-type'] ?? '')?.[1] ?? '\0';
  return JSON.parse(
    JSON.stringify({ method, search: url.search, headers: rest, body }).replaceAll(boundary, 'boundary'),
  );
}

export interface PlayedShop {
  origin: string;
  asked: Asked[];
}

/** Call the result for a shop on an origin of its own. It is closed after the test. */
export function useShops(): () => Promise<PlayedShop> {
  const open: (() => void)[] = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
  });
  return async () => {
    const asked: Asked[] = [];
    const server = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const one = {
        method,
        url: new URL(url, 'http://shop'),
        headers,
        body: await text(request).catch(() => ''),
      };
      asked.push(one);
      if (!answerShop(one, response)) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  };
}
