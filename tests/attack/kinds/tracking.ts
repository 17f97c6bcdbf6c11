import fc from 'fast-check';
import { encodeJson, hostileText, hostileValue } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { targetOf } from '../targets.ts';

const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** Of one event: fast-check draws some ids more often than others, and an id that comes again counts once. */
const eventId = fc.noBias(fc.uuid());
const url = fc.oneof(
  hostileText.map((text) => `https://example.com/${encodeURIComponent(text.toWellFormed())}`),
  hostileText.map((text) => `https://example.com/?utm_source=${encodeURIComponent(text.toWellFormed())}`),
  fc.constantFrom(
    'https://example.com/',
    `https://example.com/${'a/'.repeat(900)}`,
    'https://a:b@example.com/#x',
  ),
);
const props = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.oneof(fc.string(), fc.double(), fc.boolean()),
  {
    maxKeys: 20,
  },
);
const event = fc.record(
  {
    id: eventId,
    type: fc.constantFrom('pageview', 'event'),
    pageId: fc.uuid(),
    url,
    name: fc.oneof(fc.constantFrom('signup', 'a'), hostileText),
    title: hostileText,
    referrer: fc.oneof(url, hostileText),
    props: fc.oneof(props, hostileValue),
    revenue: fc.oneof(fc.constant({ amount: '12.34', currency: 'EUR' }), hostileValue),
  },
  { requiredKeys: ['id', 'type', 'pageId', 'url'] },
);

/** Unusual requests in the documented form. */
const plain = fc.record(
  {
    id: eventId,
    type: fc.constantFrom('pageview', 'event'),
    pageId: fc.uuid(),
    url,
    props,
    name: fc.string({ minLength: 1, maxLength: 64 }),
  },
  { requiredKeys: ['id', 'type', 'pageId', 'url'] },
);

/** Requests that the service may accept. It must store exactly the accepted events. */
export const hostileTracking = (attacker: Attacker): fc.Arbitrary<Attempt> =>
  sending(
    attacker,
    fc.oneof(
      { weight: 3, arbitrary: fc.array(plain, { minLength: 1, maxLength: 20 }) },
      { weight: 1, arbitrary: fc.array(event, { minLength: 1, maxLength: 3 }) },
    ),
  );

/** Names that objects have already, or that are too long, empty or hidden. */
const propertyName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    '0',
    'a'.repeat(64),
    'a'.repeat(65),
    '\0',
    '=1+1',
  ),
  hostileText,
);
const propertyValue = fc.oneof(
  fc.constantFrom<unknown>('', 'x'.repeat(4096), 1e308, -0, true, null, {}, [], [1]),
  hostileText,
  fc.double(),
);
const manyProperties = fc
  .array(fc.tuple(propertyName, propertyValue), { minLength: 1, maxLength: 30 })
  .map((pairs) => Object.fromEntries(pairs));

/** Page views and events whose properties are at the limits or beyond. */
export const hostileProperties = (attacker: Attacker): fc.Arbitrary<Attempt> =>
  sending(
    attacker,
    fc.array(
      fc.record({
        id: eventId,
        type: fc.constantFrom('pageview', 'event'),
        pageId: fc.uuid(),
        url: fc.constant('https://example.com/properties'),
        props: manyProperties,
      }),
      { minLength: 1, maxLength: 3 },
    ),
  );

const sending = (
  { tracked }: Attacker,
  events: fc.Arbitrary<{ type: string; name?: string; revenue?: unknown }[]>,
): fc.Arbitrary<Attempt> =>
  fc.tuple(events, fc.uuid(), fc.boolean()).map(([sent, visitorId, isText]) => ({
    ...targetOf('track'),
    path: '/api/v1/track',
    init: {
      method: 'POST',
      headers: { 'Content-Type': isText ? 'text/plain' : 'application/json', 'User-Agent': AGENT },
      body: encodeJson({ site: tracked.siteId, visitorId, events: sent.map(named) }),
    },
  }));

/** Only the type `event` has a name and revenue. */
const named = ({ name = 'signup', revenue, ...rest }: { type: string; name?: string; revenue?: unknown }) =>
  rest.type === 'event' ? { ...rest, name, ...(revenue !== undefined && { revenue }) } : rest;
