import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TrackMessage } from '../../../lib/collection/track-message.ts';
import { startUpstash } from '../../../tooling/upstash/start-upstash.ts';
import { CHROME, makeWorld, pageview } from './track-world.ts';

const counts = { consentMode: 'required', preConsentTier: 'counts' } as const;
const sessions = { consentMode: 'required', preConsentTier: 'sessions' } as const;
const off = { consentMode: 'required', preConsentTier: 'off' } as const;
const MINUTE_MS = 60_000;

let upstash: Awaited<ReturnType<typeof startUpstash>>;
beforeAll(async () => {
  upstash = await startUpstash({ redis: 'memory' });
});
afterAll(() => upstash.close());
const start = (options = {}) => makeWorld({ redis: upstash, ...options });

async function accepted(response: Response): Promise<unknown> {
  expect(response.status).toBe(202);
  return response.json();
}

describe('tiers', () => {
  test('tier 3: queued with the tracker’s id', async () => {
    const world = start();
    const visitorId = crypto.randomUUID();
    const body = { site: world.addSite(), visitorId, continued: true, events: [pageview()] };
    expect(await accepted(await world.track(body, { country: 'PT' }))).toEqual({
      data: { accepted: 1, dropped: 0 },
      policy: { maxTier: 3 },
    });
    expect(world.sent).toMatchObject([{ tier: 3, visitorId, continued: true, country: 'PT', os: 'Windows' }]);
    expect(v.safeParse(TrackMessage, world.sent[0]).issues).toBeUndefined();
  });

  test('tier 2: the day’s hash, another the next day, on another site, for another visitor', async () => {
    const world = start();
    const [site, other] = [world.addSite(sessions), world.addSite(sessions)];
    const send = (to: string, init = {}) =>
      world.track({ site: to, visitorId: crypto.randomUUID(), continued: true, events: [pageview()] }, init);
    await send(site);
    await send(site);
    await send(other);
    await send(site, { address: '192.0.2.8' });
    await send(site, { headers: { 'User-Agent': CHROME.replace('126', '127') } });
    world.now += 24 * 60 * MINUTE_MS;
    await send(site);
    expect(world.sent.map(({ tier, continued }) => [tier, continued])).toEqual(Array(6).fill([2, false]));
    const ids = world.sent.map(({ visitorId }) => visitorId);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(5);
  });

  test('tier 3 without the tracker’s id is stored as tier 2', async () => {
    const world = start();
    await world.track({ site: world.addSite(), events: [pageview()] });
    expect(world.sent).toMatchObject([{ tier: 2, visitorId: expect.any(String), continued: false }]);
  });

  test('tier 1: no visitor, and the minute', async () => {
    const world = start();
    await world.track({ site: world.addSite(counts), visitorId: crypto.randomUUID(), events: [pageview()] });
    expect(world.sent).toMatchObject([
      { tier: 1, events: [{ at: world.now - (world.now % MINUTE_MS), entry: true, source: 'newsletter' }] },
    ]);
    expect(JSON.stringify(world.sent)).not.toMatch(/visitorId|pageId|secret/);
  });

  test('tier 0 by policy: refused and counted', async () => {
    const world = start();
    const body = { site: world.addSite(off), events: [pageview()] };
    expect(await accepted(await world.track(body))).toEqual({
      data: { accepted: 0, dropped: 1, reasons: { tier: 1 } },
      policy: { maxTier: 0, stop: 'policy' },
    });
    expect(world.sent).toMatchObject([{ tier: 0, events: [{ type: 'dropped', reason: 'tier' }] }]);
    expect(JSON.stringify(world.sent)).not.toMatch(/Chrome|country|example/);
  });

  test('DNT: at most counts, also with consent', async () => {
    const world = start();
    const body = {
      site: world.addSite(sessions),
      consent: 'granted',
      visitorId: crypto.randomUUID(),
      events: [pageview()],
    };
    expect(await accepted(await world.track(body, { headers: { DNT: '1' } }))).toMatchObject({
      policy: { maxTier: 1, cap: 'dnt' },
    });
    expect(world.sent).toMatchObject([{ tier: 1 }]);
  });

  test('GPC: 204 and nothing at all, whatever is sent', async () => {
    const world = start();
    const headers = { 'Sec-GPC': '1' };
    const site = world.addSite();
    for (const body of [{ site, consent: 'granted', events: [pageview()] }, 'nonsense', '']) {
      const response = await world.track(body, { headers });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    }
    expect([world.sent.length, world.sitesAsked]).toEqual([0, 0]);
    for (const value of ['0', 'true'])
      await world.track({ site, events: [pageview()] }, { headers: { 'Sec-GPC': value } });
    expect(world.sent).toHaveLength(2);
  });

  test('Redis away: anonymous sessions are stored as counts, and the log says why', async () => {
    const world = makeWorld();
    await accepted(await world.track({ site: world.addSite(sessions), events: [pageview()] }));
    expect(world.sent).toMatchObject([{ tier: 1 }]);
    expect(JSON.stringify(world.sent)).not.toContain('visitorId');
    expect(world.log).toMatchObject([{ level: 'error', event: 'salt-unavailable' }]);
  });
});

describe('what is dropped', () => {
  const mixed = () => [
    pageview(),
    pageview({ url: 'https://evil.test/' }),
    { id: crypto.randomUUID(), type: 'engagement', pageId: crypto.randomUUID(), seconds: 5, scrollDepth: 50 },
  ];

  test('other hosts and events beyond the tier, by reason', async () => {
    const world = start();
    expect(await accepted(await world.track({ site: world.addSite(counts), events: mixed() }))).toMatchObject(
      {
        data: { accepted: 1, dropped: 2, reasons: { hostname: 1, tier: 1 } },
      },
    );
    expect(world.sent[0]?.events).toMatchObject([
      { type: 'pageview' },
      { type: 'dropped', reason: 'hostname' },
      { type: 'dropped', reason: 'tier' },
    ]);
  });

  test.each(['curl/8.0', CHROME.replace('Chrome', 'HeadlessChrome'), ''])('robots: %s', async (userAgent) => {
    const world = start();
    const response = await world.track(
      { site: world.addSite(), events: mixed() },
      { headers: { 'User-Agent': userAgent } },
    );
    expect(await accepted(response)).toMatchObject({
      data: { accepted: 0, dropped: 3, reasons: { bot: 3 } },
      policy: { maxTier: 3 },
    });
    expect(world.sent).toMatchObject([
      { tier: 0, events: Array(3).fill({ type: 'dropped', reason: 'bot' }) },
    ]);
  });

  test('a robot that is an exception counts', async () => {
    const world = start({ botExceptions: ' HeadlessChrome , Monitor ' });
    const headers = { 'User-Agent': CHROME.replace('Chrome', 'HeadlessChrome') };
    await world.track({ site: world.addSite(), events: [pageview()] }, { headers });
    expect(world.sent).toMatchObject([{ tier: 2, browser: 'Chrome' }]);
  });

  test('rented servers, but for those of relays and exceptions', async () => {
    const world = start({ networkExceptions: '14618, 16509' });
    const site = world.addSite();
    for (const asn of [24940, 16509, 13335, 3243, '24940', undefined])
      await world.track({ site, events: [pageview()] }, { cf: { country: 'PT', asn } });
    expect(world.sent.map(({ tier }) => tier)).toEqual([0, 2, 2, 2, 2, 2]);
    expect(world.sent[0]?.events).toMatchObject([{ type: 'dropped', reason: 'datacenter' }]);
    expect(JSON.stringify(world.sent[0])).not.toMatch(/\b24940\b|PT|Chrome|example/);
  });

  test('spam by its referrer, with all that came with it', async () => {
    const world = start();
    const spam = pageview({ referrer: 'https://forum.semalt.com/x' });
    const response = await world.track({ site: world.addSite(), events: [pageview(), spam] });
    expect(await accepted(response)).toMatchObject({ data: { accepted: 0, dropped: 2 } });
    expect(world.sent).toMatchObject([{ tier: 0, events: Array(2).fill({ reason: 'spam' }) }]);
    expect(JSON.stringify(world.sent)).not.toContain('semalt');
  });

  test('the same id twice counts once', async () => {
    const world = start();
    const view = pageview();
    const body = { site: world.addSite(), events: [view, view, pageview()] };
    expect(await accepted(await world.track(body))).toMatchObject({ data: { accepted: 2, dropped: 0 } });
  });
});

test.each([
  [sessions, { country: 'PT', regionCode: '13', city: 'Porto' }, ['PT', 'PT-13', 'Porto']],
  [counts, { country: 'PT', regionCode: '13', city: 'Porto' }, ['PT', undefined, undefined]],
  [sessions, { country: 'PT', regionCode: 13, city: '' }, ['PT', undefined, undefined]],
  [sessions, { country: 'T1', regionCode: '13', city: 'Porto' }, [undefined, undefined, undefined]],
])('the place, as the tier may hold it: %j %j', async (privacy, cf, place) => {
  const world = start();
  await world.track({ site: world.addSite(privacy), events: [pageview()] }, { cf });
  expect(world.sent.map(({ country, region, city }) => [country, region, city])).toEqual([place]);
});

test('client hints come before the user agent, and none of them is queued', async () => {
  const world = start();
  const headers = {
    'Sec-CH-UA': '"Brave";v="142", "Chromium";v="142", "Not?A_Brand";v="99"',
    'Sec-CH-UA-Mobile': '?0',
    'Sec-CH-UA-Platform': '"macOS"',
  };
  const visitorId = crypto.randomUUID();
  await world.track({ site: world.addSite(), visitorId, events: [pageview()] }, { headers });
  expect(world.sent).toMatchObject([{ browser: 'Brave', os: 'macOS', device: 'desktop' }]);
  expect(JSON.stringify(world.sent)).not.toMatch(/Chromium|Not\?A/);
});

test('neither address nor user agent reach the queue or the log', async () => {
  const world = start();
  const headers = { 'User-Agent': `${CHROME} Marked` };
  for (const privacy of [null, sessions, counts, off]) {
    for (const redis of [false, true]) {
      if (redis) world.sitesAreAway = true;
      await world.track(
        { site: world.addSite(privacy), events: [pageview()] },
        { headers, address: '203.0.113.77' },
      );
      world.sitesAreAway = false;
    }
  }
  await world.track('{"broken', { headers, address: '203.0.113.77' });
  expect(world.sent).toHaveLength(4);
  expect(JSON.stringify([world.sent, world.log])).not.toMatch(
    /203\.0\.113|Marked|Mozilla|vendor\.example|secret/,
  );
});
