import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that is free now: `wanted`, or any if 0. Throws if the wanted one is taken; `option` is how to
 * choose another.
 */
export function findPort(wanted: number, option: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken
          ? new Error(`Port ${wanted} is in use. Stop what listens there, or choose another with ${option}.`)
          : error,
      );
    });
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : wanted;
      probe.close(() => resolve(port));
    });
  });
}
