/** A proxy before the database's HTTP endpoint, which lets chosen statements hang, or loses their answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * `hang`: the statement never arrives and nothing is answered. `lose`: it is executed, and the connection ends without an answer. `cut`:
 * it is executed, and the connection ends in the middle of the answer.
 */
export type Fault = 'hang' | 'lose' | 'cut';

export interface NeonProxy {
  endpoint: string;
  /** The endpoint that requests are passed on to. */
  target: string;
  /** Which statements have a fault: those whose text contains one of the keys. */
  faults: Map<string, Fault>;
  /** How many statements each fault has met. */
  met: Record<Fault, number>;
  close(): Promise<void>;
}

export async function startNeonProxy(): Promise<NeonProxy> {
  const hanging = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const text = body.toString();
    const [, fault] = [...proxy.faults].find(([part]) => text.includes(part)) ?? [];
    if (fault !== undefined) proxy.met[fault] += 1;
    if (fault === 'hang') {
      hanging.add(response);
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => /^(neon-|content-type)/.test(name)),
    ) as Record<string, string>;
    const passed = await fetch(proxy.target, { method: 'POST', headers, body });
    const answered = Buffer.from(await passed.arrayBuffer());
    if (fault === 'lose') return void response.destroy();
    response.writeHead(passed.status, {
      'Content-Type': 'application/json',
      'Content-Length': answered.length,
    });
    if (fault === undefined) return void response.end(answered);
    response.write(answered.subarray(0, answered.length / 2), () => response.destroy());
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: NeonProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sql`,
    target: '',
    faults: new Map(),
    met: { hang: 0, lose: 0, cut: 0 },
    close: async () => {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
