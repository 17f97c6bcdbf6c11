import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { buildMessage } from '../../../lib/collection/build-message.ts';
import { type DropReason, TrackMessage } from '../../../lib/collection/track-message.ts';
import { TrackRequest } from '../../../lib/collection/track-request.ts';
import type { Tier } from '../../../lib/privacy/tier.ts';

const uuid = fc.uuid();
const address = fc.webUrl({ withQueryParameters: true, withFragments: true });
const text = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', maxLength })
    .map((value) => value.replaceAll('\0', '').slice(0, maxLength).toWellFormed());
const props = fc.dictionary(text(64), fc.oneof(text(512), fc.boolean(), fc.integer()), {
  maxKeys: 20,
  noNullPrototype: true,
});

const pageview = fc.record(
  {
    id: uuid,
    type: fc.constant('pageview'),
    pageId: uuid,
    url: address,
    referrer: fc.oneof(fc.constant(''), address),
    title: text(2048),
    language: text(64),
    screen: fc.constant('1920x1080'),
    props,
  },
  { requiredKeys: ['id', 'type', 'pageId', 'url'] },
);
const custom = fc.record(
  {
    id: uuid,
    type: fc.constant('event'),
    pageId: uuid,
    name: text(63).map((name) => `n${name}`),
    url: address,
    props,
    revenue: fc.constant({ amount: '12.34', currency: 'EUR' }),
  },
  { requiredKeys: ['id', 'type', 'name', 'url'] },
);
const engagement = fc.record({
  id: uuid,
  type: fc.constant('engagement'),
  pageId: uuid,
  seconds: fc.double({ min: 0, max: 86_400, noNaN: true }),
  scrollDepth: fc.integer({ min: 0, max: 100 }),
});
const request = fc.record({
  site: uuid,
  events: fc.array(fc.oneof(pageview, custom, engagement), { minLength: 1, maxLength: 20 }),
});
const domains = fc.constantFrom('example.com', 'localhost', 'com');

test('a message fits the queue’s schema, and below tier 2 nothing in it names or joins visitors', () => {
  fc.assert(
    fc.property(
      request,
      domains,
      fc.constantFrom<Tier>(0, 1, 2, 3),
      fc.constantFrom<DropReason | undefined>('bot', 'datacenter', 'spam', undefined),
      (raw, domain, tier, refusal) => {
        const message = buildMessage({
          request: v.parse(TrackRequest, raw),
          domains: [domain],
          tier,
          refusal,
          receivedAt: Date.UTC(2026, 10, 21, 23, 59, 59, 990),
          device: { device: 'mobile', browser: 'Chrome', os: 'Android' },
          visitorId: tier >= 2 ? crypto.randomUUID() : undefined,
          place: { country: 'PT', regionCode: '13', city: 'Porto' },
        });
        const wire = JSON.parse(JSON.stringify(message));
        expect(v.safeParse(TrackMessage, wire).issues).toBeUndefined();
        expect(wire.events).toHaveLength(new Set(raw.events.map(({ id }) => id)).size);
        if (wire.tier >= 2) return;
        const names = [...Object.keys(wire), ...wire.events.flatMap(Object.keys)];
        for (const name of ['visitorId', 'pageId', 'title', 'language', 'screen', 'os', 'region', 'city'])
          expect(names).not.toContain(name);
        expect(wire.events.every(({ at }: { at: number }) => at % 60_000 === 0)).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
