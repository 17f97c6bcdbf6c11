/** An HTTP proxy in front of a Redis endpoint. It can stop, delay or replace answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Behaviour =
  | 'pass'
  /** Accepts the command and never answers. */
  | 'hang'
  /** Begins an answer and never ends it. */
  | 'stall'
  /** Cuts the connection without an answer. */
  | 'cut'
  /** Forwards the command after this delay, to test slowness. */
  | { delayMs: number }
  /** Gives this answer to every request. */
  | { status?: number; type?: string; body: string }
  /** Gives this result to each command, in the endpoint's format. */
  | { result: unknown };

export interface RedisProxy {
  url: string;
  token: string;
  /** The target of commands. Set it before the first one. */
  target: { url: string; token: string } | undefined;
  /** The behaviour for a command such as `['hmget', ...]`; of several commands, for the first. Default: all pass. */
  behave: (command: readonly string[]) => Behaviour;
  /** Refuses new connections and cuts existing ones. */
  stop(): Promise<void>;
  /** Starts at the same address again. Does nothing if it runs. */
  start(): Promise<void>;
}

const HEAD = '{"result":["{\\"format\\":1';

export async function startRedisProxy(): Promise<RedisProxy> {
  let server: Server | undefined;
  let port = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const commands = request.url === '/pipeline' ? (JSON.parse(body) as string[][]) : undefined;
    const behaviour = proxy.behave(commands?.[0] ?? (JSON.parse(body) as string[]));
    if (behaviour === 'hang') return;
    if (behaviour === 'cut') return void request.socket.destroy();
    if (behaviour === 'stall') {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      return void response.write(HEAD);
    }
    if (typeof behaviour === 'object' && 'body' in behaviour) {
      const { status = 200, type = 'application/json' } = behaviour;
      return void response.writeHead(status, { 'Content-Type': type }).end(behaviour.body);
    }
    if (typeof behaviour === 'object' && 'result' in behaviour) {
      const answer = commands?.map(() => behaviour) ?? behaviour;
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    }
    if (typeof behaviour === 'object') await new Promise((end) => setTimeout(end, behaviour.delayMs));
    const { status, text } = await passOn(request, body);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
  };

  const passOn = async (request: IncomingMessage, body: string) => {
    if (proxy.target === undefined) throw new Error('The proxy has no target.');
    const headers = {
      Authorization: `Bearer ${proxy.target.token}`,
      'Upstash-Encoding': String(request.headers['upstash-encoding'] ?? ''),
    };
    const answer = await fetch(proxy.target.url + request.url, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };

  const start = async (): Promise<void> => {
    if (server !== undefined) return;
    server = createServer((request, response) => {
      handle(request, response).catch(() => response.destroy());
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    server = undefined;
    await closed;
  };

  const proxy: RedisProxy = {
    url: '',
    token: 'of the proxy',
    target: undefined,
    behave: () => 'pass',
    start,
    stop,
  };
  await start();
  proxy.url = `http://127.0.0.1:${port}`;
  return proxy;
}
