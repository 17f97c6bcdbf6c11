import type { Context } from 'hono';
import { causesOf, logToConsole } from './log.ts';

export type Afterwards = Pick<Context, 'executionCtx'>;

/** Goes on with a work after the answer, as far as the runtime gives it time. It must be one that somebody else makes up for. */
export function afterwards(c: Afterwards, name: string, work: Promise<unknown>): void {
  const done = work.catch((error) =>
    logToConsole({ level: 'error', function: name, event: 'left for later', causes: causesOf(error) }),
  );
  // Node has no such context: there the process itself goes on.
  try {
    c.executionCtx.waitUntil(done);
  } catch {}
}
