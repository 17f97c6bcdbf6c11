import { expect, test } from 'vitest';
import type { DeployPlan } from '../../scripts/deploy/deploy-plan.ts';
import { findAdvice, findMissing } from '../../scripts/deploy/find-missing.ts';
import type { WranglerResult } from '../../scripts/deploy/run-wrangler.ts';

const step = { fn: 'track', worker: 'vendor-track', address: '', config: {} };
const plan: DeployPlan = { queues: ['events'], steps: [{ ...step, secrets: ['ADDRESS_KEY', 'OTHER'] }] };

/** Answers like wrangler with an account in this state. */
const account =
  (queue: WranglerResult, secrets: WranglerResult) =>
  async (args: string[]): Promise<WranglerResult> =>
    args[0] === 'queues' ? queue : secrets;

const found = { code: 0, output: 'Queue Name: events' };
const absent = { code: 1, output: 'Queue "events" does not exist.' };
const listed = (...names: string[]): WranglerResult => ({
  code: 0,
  output: `a notice first\n${JSON.stringify(names.map((name) => ({ name, type: 'secret_text' })))}`,
});

test.each([
  ['nothing', account(found, listed('ADDRESS_KEY', 'OTHER')), []],
  ['a queue', account(absent, listed('ADDRESS_KEY', 'OTHER')), ['npx wrangler queues create events']],
  ['a secret', account(found, listed('ADDRESS_KEY')), ['npx wrangler secret put OTHER --name vendor-track']],
  [
    'a Worker that was never deployed',
    account(found, { code: 1, output: 'This Worker does not exist on your account. [code: 10007]' }),
    [
      'npx wrangler secret put ADDRESS_KEY --name vendor-track',
      'npx wrangler secret put OTHER --name vendor-track',
    ],
  ],
  [
    'the credentials, told once',
    account(
      { code: 1, output: "it's necessary to set a CLOUDFLARE_API_TOKEN environment variable" },
      { code: 1, output: "it's necessary to set a CLOUDFLARE_API_TOKEN environment variable" },
    ),
    ['npx wrangler login   (or set CLOUDFLARE_API_TOKEN)'],
  ],
])('missing: %s', async (_, run, expected) => {
  expect(await findMissing(plan, run)).toEqual(expected);
});

test.each([
  ['a Redis of its own for the salt', listed('ADDRESS_KEY', 'SALT_REDIS_REST_URL'), 0],
  ['the salt in the Redis of all functions', listed('ADDRESS_KEY'), 1],
  ['a Worker that was never deployed', { code: 1, output: '' }, 0],
] as const)('advice: %s', async (_, secrets, sentences) => {
  const advice = await findAdvice(plan, account(found, secrets));
  expect(advice).toHaveLength(sentences);
  for (const sentence of advice) expect(sentence).toContain('SALT_REDIS_REST_TOKEN');
});
