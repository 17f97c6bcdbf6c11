/** What a Worker costs that does nothing: the baseline of the benchmarks of tracking and of CPU time. */
import { Hono } from 'hono';

const app = new Hono();
app.post('/read', async (c) => {
  await c.req.json();
  return c.body(null, 202);
});
/** As if all were folded. */
app.post('/internal/*', (c) => c.body(null, 204));
app.post('*', (c) => c.body(null, 202));

export default {
  fetch: app.fetch,
  /** Acknowledges each batch unread. */
  queue() {},
};
