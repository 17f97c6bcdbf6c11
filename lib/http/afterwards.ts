import type { Context } from 'hono';
import { causesOf, logToConsole } from './log.ts';

export type Afterwards = Pick<Context, 'executionCtx'>;

/** Continues work after the answer is sent. The runtime may stop it early, so use it only for work that a later request or cron repeats. */
export function afterwards(c: Afterwards, name: string, work: Promise<unknown>): void {
  const done = work.catch((error) =>
    logToConsole({ level: 'error', function: name, event: 'left for later', causes: causesOf(error) }),
  );
  // Node.js has no execution context: the process continues by itself.
  try {
    c.executionCtx.waitUntil(done);
  } catch {}
}
