import type { Context } from 'hono';

/**
 * Sets a header of a finished answer. `c.header` makes a new Response then, each time; here only of one whose headers can't be
 * changed, as those of another function's answer.
 */
export function setLateHeader(c: Context, name: string, value: string): void {
  try {
    c.res.headers.set(name, value);
  } catch {
    c.header(name, value);
  }
}
