/** What becomes of an outcome, whatever the service answers. */
import { afterEach, expect, test } from 'vitest';
import type { Outcome } from '../../../packages/sdk-node/index.js';
import { confirmOutcome } from '../../../packages/sdk-node/src/outcomes/confirm-outcome.ts';
import { readSettings, type Settings } from '../../../packages/sdk-node/src/settings.ts';
import { type Answer, type PlayedService, playService, type Reply } from './play-service.ts';
import { variables } from './run-app.ts';

const OUTCOME: Outcome = {
  source: 'shop',
  domainEventId: 'order-4711-paid',
  type: 'order.paid',
  occurredAt: new Date('2026-11-01T10:00:00Z'),
  value: { amount: '49.90', currency: 'EUR' },
};
const AT_ONCE = { 'Retry-After': '0' };
const PATH = '/api/v1/telemetry/outcomes';

let service: PlayedService | undefined;
afterEach(() => service?.close());

async function confirm(reply: Reply, outcome: unknown = OUTCOME): Promise<unknown> {
  service = await playService(reply);
  const settings = readSettings({}, variables(service.url)) as Settings;
  return confirmOutcome(settings, outcome as Outcome);
}

const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

test('created, and what was sent', async () => {
  expect(await confirm(() => json(201, {}))).toEqual({ status: 'created' });
  expect(service?.events).toEqual([PATH]);
});

test('sent again: a duplicate', async () => {
  expect(await confirm(() => json(200, {}))).toEqual({ status: 'duplicate' });
});

test.each<[what: string, answer: Answer, error: { code: string; message: unknown }]>([
  ['409', json(409, { message: 'Known otherwise.' }), { code: 'conflict', message: 'Known otherwise.' }],
  ['401', json(401, { message: 'No.' }), { code: 'refused', message: 'No.' }],
  ['403', { status: 403 }, { code: 'refused', message: 'The service answers 403.' }],
  [
    '400 with details',
    json(400, { message: 'Invalid.', details: [{ path: 'value.amount', message: 'is no decimal number' }] }),
    { code: 'invalid', message: 'Invalid. value.amount is no decimal number' },
  ],
  ['404', { status: 404, body: '<!doctype html>' }, { code: 'invalid', message: 'The service answers 404.' }],
])('%s is reported at once', async (_what, answer, error) => {
  await expect(confirm(() => answer)).rejects.toMatchObject({ name: 'OutcomeError', ...error });
  expect(service?.events).toEqual([PATH]);
});

test('503, 429, 500, then 201: it is sent again until it is created', async () => {
  const answers: Answer[] = [
    { status: 503, headers: AT_ONCE },
    { status: 429, headers: AT_ONCE },
    { status: 500, headers: AT_ONCE },
    { status: 201 },
  ];
  expect(await confirm(({ number }) => answers[number - 1] ?? 'hang')).toEqual({ status: 'created' });
  expect(service?.events).toHaveLength(4);
});

test('503 for ever: five times, then unavailable, since it may have been stored', async () => {
  await expect(confirm(() => ({ status: 503, headers: AT_ONCE }))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the service answers 503. The outcome may have been stored; send it again.',
  });
  expect(service?.events).toHaveLength(5);
});

test.each<[what: string, outcome: unknown]>([
  ['BigInt', { ...OUTCOME, attributes: { big: 7n } }],
  [
    'a getter that throws',
    {
      get source() {
        throw new Error('own');
      },
    },
  ],
  [
    'a method toJSON that throws',
    {
      ...OUTCOME,
      attributes: {
        toJSON() {
          throw new Error('own');
        },
      },
    },
  ],
  ['nothing', undefined],
])('what cannot be written is invalid, and not sent: %s', async (_what, outcome) => {
  await expect(confirm(() => json(201, {}), outcome ?? null)).rejects.toMatchObject({ code: 'invalid' });
  expect(service?.events).toEqual([]);
});
