import { expect, test } from 'vitest';
import { makeWorld } from './track-world.ts';

const required = { consentMode: 'required', preConsentTier: 'off' } as const;
const regional = { consentMode: 'regional', preConsentTier: 'sessions' } as const;

test('the answer itself, for the signals and the country of the request', async () => {
  const world = makeWorld();
  const [none, strict, local] = [world.addSite(), world.addSite(required), world.addSite(regional)];
  const ask = async (site: string, query = '', init = {}) => {
    const response = await world.request(`/api/v1/policy?site=${site}${query}`, init);
    expect(response.status).toBe(200);
    return response.json();
  };
  expect(await ask(none)).toEqual({ maxTier: 3 });
  expect(await ask(strict)).toEqual({ maxTier: 0, stop: 'policy' });
  expect(await ask(strict, '&consent=granted')).toEqual({ maxTier: 3 });
  expect(await ask(strict, '&consent=denied')).toEqual({ maxTier: 0, stop: 'policy' });
  expect(await ask(strict, '&consent=granted', { headers: { DNT: '1' } })).toEqual({
    maxTier: 1,
    cap: 'dnt',
  });
  expect(await ask(strict, '', { headers: { DNT: '1' } })).toEqual({
    maxTier: 0,
    stop: 'policy',
    cap: 'dnt',
  });
  expect(await ask(strict, '&consent=granted', { headers: { 'Sec-GPC': '1' } })).toEqual({
    maxTier: 0,
    stop: 'gpc',
  });
  expect(await ask(local, '', { country: 'US' })).toEqual({ maxTier: 3 });
  expect(await ask(local, '', { country: 'PT' })).toEqual({ maxTier: 2 });
  expect(await ask(local, '', { country: 'T1' })).toEqual({ maxTier: 2 });
  expect(await ask(local)).toEqual({ maxTier: 2 });
  expect(await ask(local.toUpperCase(), '', { country: 'US' })).toEqual({ maxTier: 3 });
});

test('no one but the visitor may keep it, and any page may read it', async () => {
  const world = makeWorld();
  const response = await world.request(`/api/v1/policy?site=${world.addSite()}`);
  expect(response.headers.get('Cache-Control')).toContain('no-store');
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect(response.headers.get('RateLimit-Policy')).toBe('"tracking";q=1000;w=60');
});

test.each([
  ['', 400],
  ['?site=', 400],
  ['?site=no%20name', 400],
  ["?site=' or 1=1 --", 400],
  [`?site=${crypto.randomUUID()}`, 404],
  [`?site=${crypto.randomUUID()}&consent=maybe`, 400],
  [`?site=${crypto.randomUUID()}&unknown=1`, 400],
  [`?site=${crypto.randomUUID()}&site=${crypto.randomUUID()}`, 400],
])('/api/v1/policy%s is %d', async (query, status) => {
  const response = await makeWorld().request(`/api/v1/policy${query}`);
  expect(response.status).toBe(status);
  const body = await response.json();
  expect(body).toMatchObject({ error: status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR' });
  // For the page's author.
  const name = new URLSearchParams(query).get('site');
  expect(body.warnings).toEqual(
    status === 404
      ? [`Vendor: no site is called ${name}. Copy the tag from the settings of the site.`]
      : undefined,
  );
});

test('the sites out of reach: unavailable, and the answer at hand while there is one', async () => {
  const world = makeWorld();
  const site = world.addSite(required);
  world.sitesAreAway = true;
  const away = await world.request(`/api/v1/policy?site=${site}`);
  expect([away.status, away.headers.get('Retry-After')]).toEqual([503, '2']);
  world.sitesAreAway = false;
  expect((await world.request(`/api/v1/policy?site=${site}`)).status).toBe(200);
  world.sitesAreAway = true;
  world.now += 269_000;
  expect((await world.request(`/api/v1/policy?site=${site}`)).status).toBe(200);
  world.now += 2_000;
  expect((await world.request(`/api/v1/policy?site=${site}`)).status).toBe(503);
});

test('other methods get the allowed ones', async () => {
  const world = makeWorld();
  for (const [path, allow] of [
    ['/api/v1/policy', 'GET, HEAD'],
    ['/api/v1/track', 'POST'],
  ] as const) {
    const response = await world.request(path, { method: 'DELETE' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allow]);
  }
  expect((await world.request('/api/v1/tracker')).status).toBe(404);
});
