import { createServer } from 'node:net';

/**
 * Below what systems give to outgoing connections: between our look and the moment when workerd listens, seconds later,
 * nobody else is handed a port from here.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const MAX_TRIES = 100;
/** Whoever asked for one listens there only later, so that it looks free for a while. */
const given = new Set<number>();

/**
 * A TCP port of 127.0.0.1 that is free now: `wanted`, or any if 0. Throws if the wanted one is taken; `option` is how to
 * choose another.
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

/** Throws what is wrong with the port other than that somebody has it. */
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
