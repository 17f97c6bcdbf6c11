import { describe, expect, test } from 'vitest';
import { makeWorld, pageview, type World } from './track-world.ts';

const DENIED = { maxTier: 1 };
const policy = { consentMode: 'required', preConsentTier: 'counts' } as const;

/** A valid request with these changes. */
const bodyOf = (world: World, changes: Record<string, unknown> = {}) => ({
  site: world.addSite(policy),
  events: [pageview()],
  ...changes,
});

async function refused(response: Response, status: number, expected: Record<string, unknown> = {}) {
  expect(response.status).toBe(status);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(await response.json()).toMatchObject(expected);
}

describe('a field that breaks its rule is named, and the answer has the policy', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['unknown field', { colour: 'red' }, 'colour'],
    ['consent', { consent: 'maybe' }, 'consent'],
    ['visitor', { visitorId: 'me' }, 'visitorId'],
    ['continued', { continued: false }, 'continued'],
    ['events missing', { events: undefined }, 'events'],
    ['no events', { events: [] }, 'events'],
    ['events as an object', { events: {} }, 'events'],
    ['21 events', { events: Array.from({ length: 21 }, () => pageview()) }, 'events'],
  ];

  test.each(cases)('%s', async (_, changes, path) => {
    const world = makeWorld();
    const response = await world.track(bodyOf(world, changes));
    const details = expect.arrayContaining([{ path, message: expect.any(String) }]);
    await refused(response, 400, { error: 'VALIDATION_ERROR', policy: DENIED, details });
    expect(world.sent).toEqual([]);
  });

  test('the consent that was said decides the policy of an error too', async () => {
    const world = makeWorld();
    const response = await world.track(bodyOf(world, { consent: 'granted', events: [] }));
    await refused(response, 400, { policy: { maxTier: 3 } });
  });
});

describe('a body that is none', () => {
  test.each<[string, BodyInit, Record<string, string>, number, string]>([
    ['empty', '', {}, 400, 'VALIDATION_ERROR'],
    ['not JSON', '{"site":', {}, 400, 'VALIDATION_ERROR'],
    ['a list', '[]', {}, 400, 'VALIDATION_ERROR'],
    ['null', 'null', {}, 400, 'VALIDATION_ERROR'],
    ['broken UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'VALIDATION_ERROR'],
    ['no site', '{"events":[]}', {}, 400, 'VALIDATION_ERROR'],
    ['too large', ' '.repeat(65_537), {}, 413, 'PAYLOAD_TOO_LARGE'],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['Latin-1', '{}', { 'Content-Type': 'text/plain;charset=latin1' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['compressed', '{}', { 'Content-Encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%s', async (_, body, headers, status, error) => {
    const world = makeWorld();
    const type = { 'Content-Type': 'application/json', ...headers };
    await refused(await world.request('/api/v1/track', { method: 'POST', body, headers: type }), status, {
      error,
    });
    expect([world.sent.length, world.sitesAsked]).toEqual([0, 0]);
  });

  test('no type', async () => {
    const body = new Blob(['{}']);
    await refused(await makeWorld().request('/api/v1/track', { method: 'POST', body }), 415);
  });
});

test('an unknown site, and a query', async () => {
  const world = makeWorld();
  const unknown = await world.track({ site: crypto.randomUUID(), events: [pageview()] });
  await refused(unknown, 404, {
    error: 'NOT_FOUND',
    warnings: [expect.stringContaining('no site is called')],
  });
  const query = await world.request('/api/v1/track?debug=1', { method: 'POST', body: '{}' });
  await refused(query, 400, { error: 'VALIDATION_ERROR' });
});

test('folded at once, and queued while that fails', async () => {
  const world = makeWorld();
  const send = async () => (await world.track(bodyOf(world))).status;
  expect([await send(), world.ways]).toEqual([202, ['folded']]);
  world.ingestIsAway = true;
  expect([await send(), world.ways]).toEqual([202, ['folded', 'queued']]);
  world.ingestIsAway = false;
  expect([await send(), world.ways]).toEqual([202, ['folded', 'queued', 'queued']]);
  expect(world.log).toMatchObject([{ level: 'error', function: 'track', event: 'folding-paused' }]);
});

test('neither folded nor queued: unavailable, with the policy, and safe to send again', async () => {
  const world = makeWorld();
  const body = bodyOf(world);
  world.queueIsAway = true;
  world.ingestIsAway = true;
  const response = await world.track(body);
  expect(response.headers.get('Retry-After')).toBe('2');
  await refused(response, 503, { error: 'UNAVAILABLE', policy: DENIED });
  world.queueIsAway = false;
  expect((await world.track(body)).status).toBe(202);
});

test('1000 a minute by address and site, while Redis is away too; the refusal has the policy', async () => {
  const world = makeWorld();
  world.now -= world.now % 60_000;
  const body = bodyOf(world);
  for (let n = 0; n < 1000; n += 1) {
    const { status } = await world.request(`/api/v1/policy?site=${body.site}`);
    if (status !== 200) expect.fail(`request ${n} was answered ${status}`);
  }
  const response = await world.track(body);
  expect(response.headers.get('Retry-After')).toBe('60');
  expect(response.headers.get('RateLimit')).toBe('"tracking";r=0;t=60');
  await refused(response, 429, { error: 'RATE_LIMITED', policy: DENIED });
  expect((await world.track(body, { address: '198.51.100.1' })).status).toBe(202);
  expect((await world.track(bodyOf(world))).status).toBe(202);
  world.now += 60_000;
  expect((await world.track(body)).status).toBe(202);
});

test('a preflight is answered, and both types are taken', async () => {
  const world = makeWorld();
  const preflight = await world.request('/api/v1/track', {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('POST');
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Content-Type');
  for (const type of ['application/json', 'text/plain', 'Text/Plain; Charset="UTF-8"']) {
    expect((await world.track(bodyOf(world), { headers: { 'Content-Type': type } })).status).toBe(202);
  }
});
