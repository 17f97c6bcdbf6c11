/** The MCP conformance suite against the content service in workerd. */
import { afterAll, beforeAll } from 'vitest';
import { useOwnStack } from '../services/use-stack.ts';
import { expectConformance } from './expect-conformance.ts';
import { startForwarder } from './forwarder.ts';

const forwarder = await startForwarder();
const stack = useOwnStack({ vars: { CONTENT_URL: forwarder.url } });

beforeAll(() => {
  forwarder.target = stack().contentUrl;
});
afterAll(() => forwarder.close());

expectConformance('product', () => forwarder.url);
