import { expect, test } from 'vitest';
import type { DeployPlan } from '../../scripts/deploy/deploy-plan.ts';
import { findAdvice, findMissing } from '../../scripts/deploy/find-missing.ts';

const step = { fn: 'track', worker: 'vendor-track', optional: [], address: '', config: {} };
const plan: DeployPlan = { queues: ['events'], steps: [{ ...step, secrets: ['ADDRESS_KEY', 'OTHER'] }] };

/** An account with these queues, and these secrets of every Worker; undefined: there is no Worker. */
const account = (queues: string[], secrets: string[] | undefined) => ({
  queues: async () => new Map(queues.map((name) => [name, `id of ${name}`])),
  secrets: async () => secrets,
});

test.each([
  ['nothing', account(['events'], ['ADDRESS_KEY', 'OTHER']), []],
  ['a queue', account([], ['ADDRESS_KEY', 'OTHER']), ['npx wrangler queues create events']],
  ['a secret', account(['events'], ['ADDRESS_KEY']), ['npx wrangler secret put OTHER --name vendor-track']],
  [
    'a Worker that was never deployed',
    account(['events'], undefined),
    [
      'npx wrangler secret put ADDRESS_KEY --name vendor-track',
      'npx wrangler secret put OTHER --name vendor-track',
    ],
  ],
])('missing: %s', async (_, provider, expected) => {
  expect(await findMissing(plan, provider)).toEqual(expected);
});

test.each([
  ['a Redis of its own for the salt', ['ADDRESS_KEY', 'SALT_REDIS_REST_URL'], 0],
  ['the salt in the Redis of all functions', ['ADDRESS_KEY'], 1],
  ['a Worker that was never deployed', undefined, 0],
] as const)('advice: %s', async (_, secrets, sentences) => {
  const advice = await findAdvice(plan, account(['events'], secrets && [...secrets]));
  expect(advice).toHaveLength(sentences);
  for (const sentence of advice) expect(sentence).toContain('SALT_REDIS_REST_TOKEN');
});
