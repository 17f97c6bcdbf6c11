import { describe, expect, test } from 'vitest';
import { buildMessage, type Collected } from '../../../lib/collection/build-message.ts';
import { digestPages } from '../../../lib/collection/page-digests.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import { refusedId, sampleEvents, sampleRequest } from './track-sample.ts';

const receivedAt = Date.UTC(2026, 10, 21, 12, 34, 56, 789);
const minute = Date.UTC(2026, 10, 21, 12, 34);
const visitorId = crypto.randomUUID();

const build = (changes: Partial<Collected> = {}) =>
  buildMessage({
    request: sampleRequest(),
    domains: ['example.com'],
    tier: 3,
    receivedAt,
    device: { device: 'mobile', browser: 'Chrome', os: 'Android' },
    visitorId: (changes.tier ?? 3) >= 2 ? visitorId : undefined,
    place: { country: 'PT', regionCode: '13', city: 'Porto' },
    ...changes,
  });

/** The message after its way through the queue. */
const wire = (message: TrackMessage) => JSON.parse(JSON.stringify(message));

test('consent goes before what the page did before the tracker knew of it', () => {
  const [view, event] = sampleEvents();
  const { url = '', pageId = '' } = view as { url?: string; pageId?: string };
  const consent = { id: crypto.randomUUID(), type: 'consent', pageId, url } as const;
  const events = [event, view, consent].filter((one) => one !== undefined);
  const { events: kept } = build({ request: sampleRequest({ events }) });
  expect(kept.map(({ type, at }) => [type, at - receivedAt])).toEqual([
    ['consent', 0],
    ['event', 1],
    ['pageview', 2],
  ]);
  expect(kept[0]).toEqual({
    type: 'consent',
    id: consent.id,
    at: receivedAt,
    hostname: 'example.com',
    path: '/shop',
    pageId,
  });
});

test.each([1, 2] as const)('consent is no event of tier %i', (tier) => {
  const consent = { id: crypto.randomUUID(), type: 'consent', pageId: crypto.randomUUID() } as const;
  const events = [{ ...consent, url: 'https://example.com/' }];
  expect(build({ tier, request: sampleRequest({ events }) }).events).toMatchObject([
    { type: 'dropped', reason: 'tier' },
  ]);
});

test('at tier 1 a digest stands for page and name: the same says that the page sent the event before', async () => {
  const [, event] = sampleEvents();
  if (event?.type !== 'event') throw new Error('no event');
  const again = { ...event, id: crypto.randomUUID(), pageId: event.pageId?.toUpperCase() };
  const otherName = { ...event, id: crypto.randomUUID(), name: 'other' };
  const otherPage = { ...event, id: crypto.randomUUID(), pageId: crypto.randomUUID() };
  const { pageId: _, ...bare } = { ...event, id: crypto.randomUUID() };
  const events = [event, again, otherName, otherPage, bare];
  const pageDigests = await digestPages(events);
  const kept = build({ tier: 1, request: sampleRequest({ events }), pageDigests }).events;
  const [first, second, third, fourth, last] = kept.map((one) => ('pageId' in one ? one.pageId : undefined));
  expect(second).toBe(first);
  expect(new Set([first, third, fourth, event.pageId]).size).toBe(4);
  expect(last).toBeUndefined();
  expect(build({ tier: 2, request: sampleRequest({ events }), pageDigests }).events[1]).toMatchObject({
    pageId: event.pageId,
  });
});

describe('what each tier may hold', () => {
  const location = { hostname: 'example.com', path: '/shop' };
  const request = sampleRequest({ continued: true, visitorId: crypto.randomUUID() });
  const [view, custom, engagement, vitals, association] = request.events.map((event) => event.id);
  const pageId = request.events[0]?.pageId;
  const arrival = { source: 'newsletter', channel: 'Email', utmSource: 'newsletter', entry: true };
  const bought = {
    props: { sku: 'S1', count: 2, gift: true },
    revenue: { amount: '12.34', currency: 'EUR' },
    interactive: false,
  };
  const beyond = [engagement, vitals, association].map((id) => ({
    type: 'dropped',
    id: refusedId(id ?? ''),
    at: minute,
    reason: 'tier',
  }));

  test('tier 3: everything', () => {
    expect(wire(build({ request }))).toEqual({
      version: 1,
      siteId: request.site,
      tier: 3,
      visitorId,
      continued: true,
      country: 'PT',
      region: 'PT-13',
      city: 'Porto',
      device: 'mobile',
      browser: 'Chrome',
      os: 'Android',
      language: 'en-US',
      screen: '1920x1080',
      events: [
        {
          type: 'pageview',
          id: view,
          at: receivedAt,
          pageId,
          ...location,
          ...arrival,
          title: 'Shop',
          props: { theme: 'dark' },
        },
        { type: 'event', id: custom, at: receivedAt + 1, pageId, ...location, name: 'buy', ...bought },
        { type: 'engagement', id: engagement, at: receivedAt + 2, pageId, seconds: 12.5, scrollDepth: 80 },
        {
          type: 'vitals',
          id: vitals,
          at: receivedAt + 3,
          pageId,
          ...location,
          lcp: 1200.5,
          inp: 80,
          cls: 0.01,
          fcp: 900,
          ttfb: 120,
        },
        {
          type: 'association',
          id: association,
          at: receivedAt + 4,
          pageId,
          traceId: '0af7651916cd43dd8448eb211c80319c',
          origin: 'https://api.example.com',
          status: 200,
          sent: true,
        },
      ],
    });
  });

  test('tier 2: no operating system, nothing measured, no continuation', () => {
    expect(wire(build({ request, tier: 2 }))).toEqual({
      version: 1,
      siteId: request.site,
      tier: 2,
      visitorId,
      continued: false,
      country: 'PT',
      region: 'PT-13',
      city: 'Porto',
      device: 'mobile',
      browser: 'Chrome',
      language: 'en-US',
      screen: '1920x1080',
      events: [
        {
          type: 'pageview',
          id: view,
          at: receivedAt,
          pageId,
          ...location,
          ...arrival,
          title: 'Shop',
          props: { theme: 'dark' },
        },
        { type: 'event', id: custom, at: receivedAt + 1, pageId, ...location, name: 'buy', ...bought },
        ...beyond,
      ],
    });
  });

  test('tier 1: the minute, the page and where it came from; nothing that ties two of them together', () => {
    expect(wire(build({ request, tier: 1 }))).toEqual({
      version: 1,
      siteId: request.site,
      tier: 1,
      continued: false,
      country: 'PT',
      device: 'mobile',
      browser: 'Chrome',
      events: [
        { type: 'pageview', id: view, at: minute, ...location, ...arrival, props: { theme: 'dark' } },
        { type: 'event', id: custom, at: minute, ...location, name: 'buy', ...bought },
        ...beyond,
      ],
    });
  });

  test('tier 0: that something was refused, and when, to the minute', () => {
    const events = request.events.map(({ id }) => ({
      type: 'dropped',
      id: refusedId(id),
      at: minute,
      reason: 'tier',
    }));
    const nothing = { version: 1, siteId: request.site, tier: 0, continued: false, events };
    expect(wire(build({ request, tier: 0 }))).toEqual(nothing);
  });
});

test.each(['bot', 'datacenter', 'spam'] as const)(
  '%s: refused whole, and nothing is said of it',
  (refusal) => {
    const request = sampleRequest();
    const events = request.events.map(({ id }) => ({
      type: 'dropped',
      id: refusedId(id),
      at: minute,
      reason: refusal,
    }));
    const nothing = { version: 1, siteId: request.site, tier: 0, continued: false, events };
    expect(wire(build({ request, refusal }))).toEqual(nothing);
  },
);

test('pages of other hosts are refused, each by itself', () => {
  const [foreign] = sampleEvents('evil.test');
  const [own] = sampleEvents('shop.example.com');
  const request = sampleRequest({ events: [foreign, own].filter((event) => event !== undefined) });
  const message = build({ request });
  expect(message.events).toMatchObject([
    { type: 'dropped', reason: 'hostname' },
    { hostname: 'shop.example.com' },
  ]);
  expect(message.tier).toBe(3);
  const alone = build({ request: { ...request, events: request.events.slice(0, 1) } });
  expect(wire(alone)).toMatchObject({ tier: 0, events: [{ reason: 'hostname' }] });
  expect(alone).not.toHaveProperty('visitorId');
});

test('an id that comes twice counts once, as it came first, whatever its case', () => {
  const [view, custom] = sampleEvents();
  if (view === undefined || custom === undefined) throw new Error('sample');
  const request = sampleRequest({ events: [view, { ...custom, id: view.id.toUpperCase() }, view, custom] });
  expect(build({ request }).events.map(({ type, id }) => [type, id])).toEqual([
    ['pageview', view.id],
    ['event', custom.id],
  ]);
});

test('a visit goes on at tier 3 if the tracker says so, and something is kept', () => {
  const goesOn = (changes: Partial<Collected>) =>
    build({ request: sampleRequest({ continued: true }), ...changes }).continued;
  expect([goesOn({}), goesOn({ tier: 2 }), goesOn({ refusal: 'bot' })]).toEqual([true, false, false]);
  expect(goesOn({ request: sampleRequest() })).toBe(false);
});

test('a step within the site is no entry at tier 1', () => {
  const [view] = sampleEvents();
  if (view?.type !== 'pageview') throw new Error('sample');
  const entryOf = (referrer: string) =>
    build({ tier: 1, request: sampleRequest({ events: [{ ...view, referrer }] }) }).events[0];
  expect(entryOf('https://www.example.com/')).toMatchObject({ entry: false });
  expect(entryOf('https://blog.test/')).toMatchObject({ entry: true });
  expect(entryOf('')).toMatchObject({ entry: true });
});

test('a step within the site has no channel, unless the link says one', () => {
  const [view] = sampleEvents();
  if (view?.type !== 'pageview') throw new Error('sample');
  const channelOf = (url: string, referrer: string) =>
    wire(build({ request: sampleRequest({ events: [{ ...view, url, referrer }] }) })).events[0].channel;
  expect(channelOf('https://example.com/', 'https://example.com/a')).toBeUndefined();
  expect(channelOf('https://example.com/?utm_medium=email', 'https://example.com/a')).toBe('Email');
  expect(channelOf('https://example.com/', '')).toBe('Direct');
});
