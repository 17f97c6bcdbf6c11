/** A key's flood of telemetry leaves its outcomes alone: they are counted apart. */
import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { newOutcome, newSender } from './backend-sender.ts';

const stack = useStack();

test('a key whose telemetry is refused for a while still records outcomes', async () => {
  const sender = await newSender(stack());
  let last = 0;
  // Two windows' worth: a window may end in between.
  for (let n = 0; n < 1202 && last !== 429; n++) {
    const response = await sender.send('/v1/traces', {});
    await response.arrayBuffer();
    last = response.status;
  }
  expect(last).toBe(429);
  const response = await sender.send('/api/v1/telemetry/outcomes', newOutcome());
  expect(response.status).toBe(201);
  expect(response.headers.get('RateLimit-Policy')).toBe('"outcomes";q=600;w=60');
});
