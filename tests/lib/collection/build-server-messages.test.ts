import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { buildServerMessages } from '../../../lib/collection/build-server-messages.ts';
import { ServerEvent } from '../../../lib/collection/server-request.ts';
import { TrackMessage } from '../../../lib/collection/track-message.ts';
import type { SitePolicy } from '../../../lib/privacy/policy.ts';
import { refusedId } from './track-sample.ts';

const receivedAt = Date.UTC(2026, 10, 21, 12, 34, 56, 789);
const minute = Date.UTC(2026, 10, 21, 12, 34);
const siteId = crypto.randomUUID();
const [ana, bob] = [crypto.randomUUID(), crypto.randomUUID()];

const event = (changes: Partial<ServerEvent> = {}): ServerEvent => ({
  id: crypto.randomUUID(),
  name: 'purchase',
  ...changes,
});
const build = (events: ServerEvent[], privacy: SitePolicy['privacy'] = null) =>
  buildServerMessages(events, {
    site: { siteId, domain: 'example.com', domains: ['shop.example'], privacy },
    receivedAt,
  });

/** For each policy: the tier of an event with this information about its visitor. */
type Row = [consent: ServerEvent['consent'], visitor: boolean, tier: 0 | 1 | 3];
const TIERS: Record<string, [SitePolicy['privacy'], Row[]]> = {
  'no policy': [
    null,
    [
      [undefined, true, 3],
      ['granted', true, 3],
      ['denied', true, 1],
      [undefined, false, 1],
      ['denied', false, 1],
    ],
  ],
  ...Object.fromEntries(
    (['required', 'regional'] as const).flatMap((consentMode) =>
      (['off', 'counts', 'sessions'] as const).map((preConsentTier) => {
        const before = preConsentTier === 'off' ? 0 : 1;
        const rows: Row[] = [
          ['granted', true, 3],
          ['granted', false, 1],
          [undefined, true, before],
          [undefined, false, before],
          ['denied', true, before],
          ['denied', false, before],
        ];
        return [`${consentMode}, ${preConsentTier}`, [{ consentMode, preConsentTier }, rows]];
      }),
    ),
  ),
};

describe.each(Object.entries(TIERS))('%s', (_, [privacy, rows]) => {
  test.each(rows)('consent %s, a visitor: %s → tier %i', (consent, visitor, tier) => {
    const one = event({ ...(consent && { consent }), ...(visitor && { visitorId: ana }) });
    expect(build([one], privacy)).toEqual([
      {
        version: 1,
        siteId,
        tier,
        continued: false,
        ...(tier === 3 && { visitorId: ana }),
        events: [
          tier === 0
            ? { type: 'dropped', id: refusedId(one.id), at: minute, reason: 'tier' }
            : {
                type: 'event',
                id: one.id,
                at: tier === 3 ? receivedAt : minute,
                entry: false,
                name: 'purchase',
              },
        ],
      },
    ]);
  });
});

test('a message for each visitor, and one for what is nobody’s', () => {
  const events = [
    event({ visitorId: ana }),
    event(),
    event({ visitorId: bob.toUpperCase() }),
    event({ visitorId: ana }),
    event({ visitorId: ana, url: 'https://evil.test/' }),
  ];
  const messages = build(events);
  const ids = messages.map(({ visitorId, tier, events: kept }) => [
    visitorId,
    tier,
    kept.map(({ id }) => events.findIndex((sent) => sent.id === id || refusedId(sent.id) === id)),
  ]);
  expect(ids).toEqual([
    [ana, 3, [0, 3]],
    [undefined, 1, [1, 4]],
    [bob, 3, [2]],
  ]);
});

test('an event says that it isn’t interactive, never that it is', () => {
  const kept = (interactive?: boolean) =>
    build([event(interactive === undefined ? {} : { interactive })])[0]?.events[0];
  expect(kept(false)).toMatchObject({ interactive: false });
  expect(kept(true)).not.toHaveProperty('interactive');
  expect(kept()).not.toHaveProperty('interactive');
});

test('an event has its properties and revenue, or none', () => {
  const brought = { props: { plan: 'pro' }, revenue: { amount: '12.34', currency: 'EUR' } };
  expect(build([event(brought)])[0]?.events[0]).toMatchObject(brought);
  expect(Object.keys(build([event()])[0]?.events[0] ?? {})).toEqual(['type', 'id', 'at', 'entry', 'name']);
});

test('an id counts once, as it came first, in any case of its letters', () => {
  const id = crypto.randomUUID();
  const [message] = build([event({ id }), event({ id: id.toUpperCase(), name: 'again' })]);
  expect(message?.events).toMatchObject([{ id, name: 'purchase' }]);
});

test.each([
  ['tier 3 to the millisecond', { visitorId: ana }, '2026-11-21T09:00:01.234Z', '2026-11-21T09:00:01.234Z'],
  ['tier 1 to the minute', {}, '2026-11-21T09:00:01.234Z', '2026-11-21T09:00:00.000Z'],
  ['in another zone', { visitorId: ana }, '2026-11-21T10:00:01+01:00', '2026-11-21T09:00:01.000Z'],
  ['a clock ahead is now', { visitorId: ana }, '2026-11-21T12:35:30Z', '2026-11-21T12:34:56.789Z'],
])('time: %s', (_, changes, occurredAt, expected) => {
  const [message] = build([event({ ...changes, occurredAt })]);
  expect(new Date(message?.events[0]?.at ?? 0).toISOString()).toBe(expected);
});

test('a page is cut as the tracker’s is, and must be the site’s', () => {
  const own = 'https://u:p@shop.example.com:8443/cart?card=of-ada&utm_source=mail#x';
  const [message] = build([
    event({ url: own }),
    event({ url: 'https://evil.test/' }),
    event({ url: 'mailto:a@b.c' }),
  ]);
  expect(message?.events).toMatchObject([
    { type: 'event', hostname: 'shop.example.com', path: '/cart' },
    { type: 'dropped', reason: 'hostname' },
    { type: 'dropped', reason: 'hostname' },
  ]);
  expect(JSON.stringify(message)).not.toMatch(/of-ada|mail|u:p/);
});

test('times that are none are refused', () => {
  const schema = ServerEvent.entries.occurredAt;
  for (const good of ['2026-11-21T09:00:00Z', '2026-11-21T09:00:00.123456-05:30', '2028-02-29T23:59:59Z'])
    expect([good, v.is(schema, good)]).toEqual([good, true]);
  for (const bad of [
    '',
    '2026-11-21',
    '2026-11-21T09:00:00',
    '2026-11-21 09:00:00Z',
    '2026-02-30T09:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T25:00:00Z',
    'now',
  ])
    expect([bad, v.is(schema, bad)]).toEqual([bad, false]);
});

test('whatever is accepted fits the queue’s message, and no id is lost', () => {
  const url = fc.constantFrom(
    'https://example.com/a?b=c#/d',
    'https://example.com/%',
    'https://x.test/',
    'data:,',
  );
  const drawn = fc.record(
    {
      id: fc.uuid(),
      name: fc.string({ minLength: 1, maxLength: 64 }).filter((name) => !name.includes('\0')),
      url,
      occurredAt: fc
        .date({ min: new Date(receivedAt - 86_400_000), max: new Date(receivedAt), noInvalidDate: true })
        .map((at) => at.toISOString()),
      visitorId: fc.uuid(),
      consent: fc.constantFrom('granted' as const, 'denied' as const),
      revenue: fc.constant({ amount: '1', currency: 'EUR' }),
    },
    { requiredKeys: ['id', 'name'] },
  );
  const privacy = fc.constantFrom(...Object.values(TIERS).map(([policy]) => policy));
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 1, maxLength: 20 }), privacy, (events, policy) => {
      const messages = build(v.parse(v.array(ServerEvent), events), policy);
      for (const message of messages)
        expect(v.is(TrackMessage, JSON.parse(JSON.stringify(message)))).toBe(true);
      const kept = messages.flatMap((message) => message.events.map(({ id }) => id));
      const ids = new Set(events.map(({ id }) => id));
      expect(kept).toHaveLength(ids.size);
      for (const id of ids) expect(kept.filter((one) => one === id || one === refusedId(id))).toHaveLength(1);
    }),
  );
});
