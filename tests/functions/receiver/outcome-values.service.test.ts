/** Times and amounts that can't be, through the receiver: the outcome is refused with the rule, and nothing else is. */
import { describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { asMember } from '../telemetry/member.ts';
import { newOutcome, newSender } from './backend-sender.ts';

const stack = useStack();
const DAY_MS = 86_400_000;

describe('occurredAt', () => {
  test.each([
    ['the year 0', '0000-01-01T00:00:00Z'],
    ['the year 0, by its offset', '0001-01-01T00:00:00+23:59'],
    ['the year 1', '0001-01-01T00:00:00Z'],
    ['the year 99', '0099-12-31T00:00:00Z'],
    ['before 1970', '1969-12-31T23:59:59.999Z'],
    ['before 1970, by its offset', '1970-01-01T00:00:00+00:01'],
    ['the year 9999', '9999-12-31T23:59:59Z'],
    ['the year 10000, by its offset', '9999-12-31T23:59:59-23:59'],
    ['over a day ahead', new Date(Date.now() + DAY_MS + 60_000).toISOString()],
    ['a day that isn’t', '2026-02-30T00:00:00Z'],
  ])('%s is 400 for that outcome', async (_, occurredAt) => {
    const sender = await newSender(stack());
    const [status, body] = await sender.outcomes(newOutcome({ occurredAt }));
    expect([status, body]).toEqual([
      400,
      {
        error: 'VALIDATION_ERROR',
        message: expect.any(String),
        details: [{ path: 'occurredAt', message: expect.stringMatching(/^must/) }],
      },
    ]);
    const good = newOutcome();
    const [mixed, { data }] = await sender.outcomes({ outcomes: [newOutcome({ occurredAt }), good] });
    expect([mixed, data]).toEqual([
      200,
      [
        { status: 'invalid', details: [{ path: 'occurredAt', message: expect.stringMatching(/^must/) }] },
        { status: 'created', receivedAt: expect.any(String) },
      ],
    ]);
  });

  test.each(['1970-01-01T00:00:00Z', new Date(Date.now() + DAY_MS - 60_000).toISOString()])(
    '%s is taken',
    async (occurredAt) => {
      const sender = await newSender(stack());
      expect((await sender.outcomes(newOutcome({ occurredAt })))[0]).toBe(201);
    },
  );
});

describe('value', () => {
  test.each([
    ['12.345', 'EUR', 'must have at most 2 decimals in this currency'],
    ['12.3400', 'EUR', 'must have at most 2 decimals in this currency'],
    ['12.3', 'JPY', 'must have no decimals in this currency'],
    ['1.2345', 'KWD', 'must have at most 3 decimals in this currency'],
    ['1.23456', 'CLF', 'must have at most 4 decimals in this currency'],
    ['1234567890123', 'EUR', 'must have at most 12 digits before the point'],
    ['-1', 'EUR', 'must be a decimal number as text, without a sign'],
    ['1e3', 'EUR', 'must be a decimal number as text, without a sign'],
  ])('%s %s: %s', async (amount, currency, message) => {
    const sender = await newSender(stack());
    const [status, { details }] = await sender.outcomes(newOutcome({ value: { amount, currency } }));
    expect([status, details]).toEqual([400, [{ path: 'value.amount', message }]]);
  });

  test.each([
    ['12.34', 'EUR', 201],
    ['12', 'JPY', 201],
    ['1.234', 'KWD', 201],
    ['1.2345', 'CLF', 201],
    ['1.25', 'MGA', 201],
    ['1.00', 'XCG', 201],
    ['1.00', 'ANG', 400],
    ['1.00', 'DEM', 400],
    ['1', 'XXX', 400],
    ['1', 'XAU', 400],
  ])('%s %s: %i', async (amount, currency, expected) => {
    const sender = await newSender(stack());
    expect((await sender.outcomes(newOutcome({ value: { amount, currency } })))[0]).toBe(expected);
  });
});

describe('the instants of a question', () => {
  const path = ['outcomes', 'traces', 'logs', 'services', 'service-map', 'metric-catalog'];
  test.each([
    ['0000-01-01T00:00:00Z', '0000-02-01T00:00:00Z'],
    ['1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['9999-11-01T00:00:00Z', '9999-12-01T00:00:00Z'],
    ['2263-01-01T00:00:00Z', '2263-01-02T00:00:00Z'],
    ['2026-11-20T00:00:00+05', '2026-11-21T00:00:00+05'],
    ['2026-02-30T00:00:00Z', '2026-03-03T00:00:00Z'],
    ['2026-11-20 00:00:00Z', '2026-11-21 00:00:00Z'],
  ])('from %s to %s is 400', async (from, to) => {
    const sender = await newSender(stack());
    const ask = asMember(stack(), sender, sender);
    for (const resource of path) {
      const query = new URLSearchParams({ from, to });
      const [status, body] = await ask.get(`${resource}?${query}`);
      expect([resource, status, body.error]).toEqual([resource, 400, 'VALIDATION_ERROR']);
    }
  });

  test.each([
    ['outcomes', '999999999999999-999999999999999999'],
    ['traces', `999999999999999-9223372036854775807-${'a'.repeat(32)}-${'b'.repeat(16)}`],
    ['logs', '9999999999999-9223372036854775807-1'],
  ])('%s with a cursor of another time isn’t 500', async (resource, cursor) => {
    const sender = await newSender(stack());
    const [status] = await asMember(stack(), sender, sender).get(`${resource}?cursor=${cursor}`);
    expect(status).toBeLessThan(500);
  });
});
