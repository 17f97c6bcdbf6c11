/** A Worker that does nothing: the baseline of the benchmarks of tracking and CPU time. */
import { Hono } from 'hono';

const app = new Hono();
app.post('/read', async (c) => {
  await c.req.json();
  return c.body(null, 202);
});
/** Answers as if all messages were folded. */
app.post('/internal/*', (c) => c.body(null, 204));
app.post('*', (c) => c.body(null, 202));

export default {
  fetch: app.fetch,
  /** Acknowledges each batch without reading it. */
  queue() {},
};
