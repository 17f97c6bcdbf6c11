/** The MCP conformance suite against the analytics of agents in workerd. The suite knows no tokens, so a forwarder adds them. */
import { afterAll, beforeAll } from 'vitest';
import { addQueryToken } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { useOwnStack } from '../services/use-stack.ts';
import { expectConformance } from './expect-conformance.ts';
import { startForwarder } from './forwarder.ts';

/** The suite sends more messages a minute than a person has. */
const PEOPLE = 25;

const forwarder = await startForwarder();
const stack = useOwnStack({ vars: { PUBLIC_URL: forwarder.url } });

beforeAll(async () => {
  const { sql, baseUrl } = stack();
  const made = await Promise.all(
    Array.from({ length: PEOPLE }, async () => addQueryToken(sql, (await createTenant(sql)).userId)),
  );
  forwarder.target = baseUrl;
  forwarder.tokens = made.map(({ token }) => token);
});
afterAll(() => forwarder.close());

expectConformance('analytics', () => forwarder.url);
