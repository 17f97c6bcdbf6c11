import { createServer } from 'node:net';

/** Below the ports that systems use for outgoing connections, so that nobody else gets the port in the seconds before workerd listens. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const MAX_TRIES = 100;
/** Ports that were given out. Such a port looks free until its caller listens on it. */
const given = new Set<number>();

/**
 * A free TCP port of 127.0.0.1: `wanted`, or any port for 0. Throws if `wanted` is in use; the message names `option` as the way to
 * choose another port.
 */
export async function findPort(wanted: number, option: string): Promise<number> {
  if (wanted !== 0) {
    if (await isFree(wanted)) return wanted;
    throw new Error(`Port ${wanted} is in use. Stop what listens there, or choose another with ${option}.`);
  }
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`Found no free port from ${FIRST_PORT} to ${LAST_PORT}. Choose one with ${option}.`);
}

/** Throws errors of the port other than that it is in use. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
