/** The rows that the fold takes. */
import { expect, test } from 'vitest';
import { flatten, MAX_PROPERTY_BYTES } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent, TrackMessage } from '../../../lib/collection/track-message.ts';

const at = Date.UTC(2026, 10, 21, 12);
const [siteId, visitorId, pageId, id] = Array.from({ length: 4 }, () => crypto.randomUUID()) as [
  string,
  string,
  string,
  string,
];
const page = { hostname: 'example.com', path: '/shop' };

/** What a row has: absent fields and those without a value are the same to the database. */
const rowOf = (event: object, message: Partial<TrackMessage> = {}) => {
  const events = [{ id, at, ...event } as StoredEvent];
  const rows = flatten({ version: 1, siteId, tier: 3, visitorId, continued: false, ...message, events });
  expect(rows).toHaveLength(1);
  return JSON.parse(JSON.stringify(rows[0]));
};
const common = { siteId, tier: 3, visitorId, continued: false, id, at };

test.each<[type: string, event: object, row: object]>([
  ['a view', { type: 'pageview', ...page, entry: true }, { ...page, kind: 1, entry: true }],
  [
    'a view with all it may have',
    {
      ...{ type: 'pageview', ...page, pageId, entry: false, title: 'Shop', props: { theme: 'dark' } },
      ...{ source: 'june', channel: 'Email', utmSource: 'june', utmMedium: 'email', utmTerm: 't' },
    },
    {
      ...{ ...page, pageId, kind: 1, entry: false, data: { title: 'Shop', props: { theme: 'dark' } } },
      ...{ source: 'june', channel: 'Email', utmSource: 'june', utmMedium: 'email', utmTerm: 't' },
    },
  ],
  ['a title alone', { type: 'pageview', ...page, title: 'T' }, { ...page, kind: 1, data: { title: 'T' } }],
  ['properties alone', { type: 'pageview', ...page, props: {} }, { ...page, kind: 1, data: { props: {} } }],
  // Direct is the absence of another channel.
  ['a direct view', { type: 'pageview', ...page, channel: 'Direct' }, { ...page, kind: 1 }],
  ['an event', { type: 'event', name: 'buy' }, { kind: 2, name: 'buy' }],
  [
    'an event’s page',
    { type: 'event', name: 'buy', ...page, pageId, entry: false },
    { ...page, pageId, kind: 2, name: 'buy', entry: false },
  ],
  [
    'an event’s properties',
    { type: 'event', name: 'n', props: { a: 1 } },
    { kind: 2, name: 'n', data: { props: { a: 1 } } },
  ],
  [
    'an event’s revenue',
    { type: 'event', name: 'n', revenue: { amount: '1', currency: 'EUR' } },
    { kind: 2, name: 'n', data: { revenue: { amount: '1', currency: 'EUR' } } },
  ],
  [
    'no interaction',
    { type: 'event', name: 'n', interactive: false },
    { kind: 2, name: 'n', data: { interactive: false } },
  ],
  [
    'engagement',
    { type: 'engagement', pageId, seconds: 1.2345, scrollDepth: 0.1 },
    { pageId, kind: 3, engagedMs: 1235, scrollDepth: Math.fround(0.1) },
  ],
  [
    'a scroll depth of almost nothing',
    { type: 'engagement', pageId, seconds: 0, scrollDepth: 1e-60 },
    { pageId, kind: 3, engagedMs: 0, scrollDepth: 0 },
  ],
  [
    'vitals',
    { type: 'vitals', ...page, pageId, lcp: 1, inp: 2, cls: 3, fcp: 4, ttfb: 5 },
    { ...page, pageId, kind: 4, data: { lcp: 1, inp: 2, cls: 3, fcp: 4, ttfb: 5 } },
  ],
  [
    'an association',
    { type: 'association', pageId, traceId: 'a', origin: 'b', status: 200, sent: true },
    { pageId, kind: 5, data: { traceId: 'a', origin: 'b', status: 200, sent: true } },
  ],
  // Its visit goes on, whatever the message says of the others.
  ['consent', { type: 'consent', ...page, pageId }, { ...page, pageId, kind: 6, continued: true }],
])('%s', (_, event, row) => {
  expect(rowOf(event)).toEqual({ ...common, ...row });
});

test('a refusal says nothing of who was refused', () => {
  const row = rowOf({ type: 'dropped', reason: 'bot' }, { country: 'PT', browser: 'Chrome', screen: '1x1' });
  expect(row).toEqual({ siteId, tier: 3, id, at, kind: 0, data: { reason: 'bot' } });
});

test('each event has what its message says of the visitor', () => {
  const visitor: Partial<TrackMessage> = {
    ...{ country: 'PT', region: 'PT-13', city: 'Porto', device: 'mobile', browser: 'Chrome' },
    ...{ os: 'Android', language: 'pt', screen: '412x915', continued: true },
  };
  expect(rowOf({ type: 'event', name: 'n' }, visitor)).toEqual({ ...common, ...visitor, kind: 2, name: 'n' });
});

test('what somebody sent as (other) is no remainder', () => {
  const other = '(other)';
  const view = {
    type: 'pageview',
    hostname: other,
    path: other,
    source: other,
    utmTerm: other,
    channel: 'Email',
  };
  expect(rowOf(view, { city: other, language: other })).toEqual({
    ...{ ...common, kind: 1 },
    ...{ hostname: 'other', path: 'other', source: 'other', utmTerm: 'other', channel: 'Email' },
    ...{ city: 'other', language: 'other' },
  });
  expect(rowOf({ type: 'event', name: other, props: { [other]: 1, a: other, b: true } })).toMatchObject({
    name: 'other',
    data: { props: { other: 1, a: 'other', b: true } },
  });
});

test.each([
  ['a', MAX_PROPERTY_BYTES],
  ['é', MAX_PROPERTY_BYTES / 2],
])('properties of 4 KiB of %s are kept, and of a byte more are lost', (letter, length) => {
  const around = JSON.stringify({ a: '', b: '' }).length;
  const propsOf = (more: string) => ({
    a: letter.repeat(length - Math.ceil(around / Buffer.byteLength(letter))),
    b: (around % Buffer.byteLength(letter) === 0 ? '' : 'x') + more,
  });
  const dataOf = (more: string) => rowOf({ type: 'event', name: 'n', props: propsOf(more) }).data;
  expect(Buffer.byteLength(JSON.stringify(propsOf('')))).toBe(MAX_PROPERTY_BYTES);
  expect(dataOf('')).toEqual({ props: propsOf('') });
  expect(dataOf('x')).toEqual({ cut: 'event' });
});
