/** A Worker that does nothing: the baseline of the benchmarks of tracking and CPU time. */
import { Hono } from 'hono';

const app = new Hono();
app.post('/api/read', async (c) => {
  await c.req.json();
  return c.body(null, 202);
});
app.post('*', (c) => c.body(null, 202));

/** Answers as if all messages were folded. */
export const Messages = { fetch: () => new Response(null, { status: 204 }) };
export const Health = { fetch: () => new Response(null, { status: 503 }) };

export default {
  fetch: app.fetch,
  /** Acknowledges each batch without reading it. */
  queue() {},
};
