import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EvalWorld, ORIGIN } from './world.ts';

export interface ServedWorld {
  url: string;
  /** Calls of tools so far. */
  calls(): number;
  close(): void;
}

/** The endpoint on a port of this machine; 0: any. */
export async function serveWorld(world: EvalWorld, port: number): Promise<ServedWorld> {
  let calls = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (body.includes('"tools/call"')) calls += 1;
    const { host: _, connection: __, origin: ___, ...headers } = incoming.headers as Record<string, string>;
    const response = await world.fetch(new URL(incoming.url ?? '/', ORIGIN), {
      ...{ method: incoming.method ?? 'GET', headers },
      ...(body.length > 0 && { body }),
    });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls: () => calls,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
