import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a real service. A test can make the service unreachable and reachable again. */
export interface TcpProxy {
  port: number;
  /** Cuts every connection and refuses new ones. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Keeps connections open and forwards nothing. */
  freeze(): void;
  thaw(): void;
}

export async function startTcpProxy(host: string, targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

  const start = async () => {
    server = createServer((inward) => {
      const outward = connect(targetPort, host);
      for (const socket of [inward, outward]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          (socket === inward ? outward : inward).destroy();
        });
      }
      inward.pipe(outward).pipe(inward);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    server = undefined;
    await closed;
  };

  await start();
  return {
    get port() {
      return port;
    },
    start,
    stop,
    freeze: () => {
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}
