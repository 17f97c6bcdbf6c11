import type { Context } from 'hono';

/**
 * Sets a header of a finished answer. `c.header` would make a new Response each time. This makes one only if the headers are immutable, as
 * in an answer from another function.
 */
export function setLateHeader(c: Context, name: string, value: string): void {
  try {
    c.res.headers.set(name, value);
  } catch {
    c.header(name, value);
  }
}
