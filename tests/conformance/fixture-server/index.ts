/** A Worker with the tools and resources that the scenarios of the conformance suite need, behind the product's own protocol wrapper. */
import * as v from 'valibot';
import { createApp } from '../../../lib/http/app.ts';
import { originGate } from '../../../lib/http/origin-gate.ts';
import { readBody } from '../../../lib/http/read-body.ts';
import { serveMcp } from '../../../lib/mcp/serve-mcp.ts';
import { createFixtureServer } from './server.ts';

interface Variables {
  resources: { origin: string };
}

const app = createApp({
  name: 'fixture',
  env: v.object({ ORIGIN: v.string() }),
  log: () => {},
  resources: ({ ORIGIN }) => ({ origin: ORIGIN }),
})
  .use(
    '*',
    originGate<{ Variables: Variables }>({
      allowed: (c) => [c.var.resources.origin],
      headers: [],
    }),
  )
  .post('/mcp', async (c) =>
    serveMcp(c.req.raw, await readBody(c.req.raw), { createServer: createFixtureServer, onError: () => {} }),
  );

export default { fetch: app.fetch };
