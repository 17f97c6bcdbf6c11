/** The MCP conformance suite against the fixture server, which has everything that the scenarios need, behind the product's wrapper. */
import { afterAll, beforeAll } from 'vitest';
import { expectConformance } from './expect-conformance.ts';
import { startForwarder } from './forwarder.ts';
import { startFixture } from './start-fixture.ts';

const forwarder = await startForwarder();
let fixture: Awaited<ReturnType<typeof startFixture>> | undefined;

beforeAll(async () => {
  fixture = await startFixture(forwarder.url);
  forwarder.target = fixture.url;
});
afterAll(async () => {
  await forwarder.close();
  await fixture?.close();
});

expectConformance('fixture', () => forwarder.url);
