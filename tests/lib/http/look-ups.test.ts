import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import { errorHeaders, statusOf } from '../../../lib/http/http-errors.ts';
import { guardLookUps } from '../../../lib/http/look-ups.ts';

const QUOTA = 60;

/** A table of known ids instead of the database's, and a clock. */
function setUp() {
  const state = { now: 1_800_000_000_000, queries: 0, known: new Set<string>(), isAway: false };
  const guard = guardLookUps(() => state.now);
  const app = new Hono();
  app.get('/:id', async (c) => {
    const id = c.req.param('id');
    const found = await guard(c, id, async () => {
      state.queries += 1;
      if (state.isAway) throw new Error('away');
      return state.known.has(id) ? id : undefined;
    });
    return c.text('', found === undefined ? 404 : 200);
  });
  app.onError((error, c) =>
    error instanceof DomainError ? c.text('', statusOf(error.code), errorHeaders(error)) : c.text('', 503),
  );
  const ask = (id: string, address = '192.0.2.1') =>
    app.request(`/${id}`, { headers: { 'CF-Connecting-IP': address } });
  const status = async (id: string, address?: string) => (await ask(id, address)).status;
  /** Asks for made-up ids until one is refused, at most `most`; how many were looked up. */
  async function guess(address: string, most = 2 * QUOTA): Promise<number> {
    for (let n = 0; n < most; n++) if ((await status(crypto.randomUUID(), address)) === 429) return n;
    return most;
  }
  return { state, ask, status, guess };
}

test('an address may ask for 60 unknown ids in any minute, and learns when to come again', async () => {
  const { state, ask, guess, status } = setUp();
  expect(await guess('192.0.2.1', 30)).toBe(30);
  state.now += 40_000;
  expect(await guess('192.0.2.1')).toBe(30);
  const refused = await ask('one more');
  expect(refused.headers.get('Retry-After')).toBe('20');
  expect(refused.headers.get('RateLimit-Policy')).toBe('"look-ups";q=60;w=60');
  expect(refused.headers.get('RateLimit')).toBe('"look-ups";r=0;t=20');
  expect(state.queries).toBe(QUOTA);
  expect(await status('one more', '192.0.2.2')).toBe(404);
  state.now += 20_000;
  expect(await guess('192.0.2.1')).toBe(30);
});

test('an IPv6 subscriber is one address', async () => {
  const { guess, status } = setUp();
  for (let n = 0; n < QUOTA; n++) expect(await status(`id ${n}`, `2001:db8:0:1:${n}::1`)).toBe(404);
  expect(await guess('2001:db8:0:1:ffff::9')).toBe(0);
  expect(await guess('2001:db8:0:2::9')).toBe(QUOTA);
});

test('what is found doesn’t count, however often', async () => {
  const { state, status, guess } = setUp();
  state.known.add('site');
  for (let n = 0; n < 5 * QUOTA; n++) expect(await status('site')).toBe(200);
  expect(await guess('192.0.2.1')).toBe(QUOTA);
});

test('an unknown id is remembered for seconds: that asks for nothing, and it may be made meanwhile', async () => {
  const { state, status } = setUp();
  for (let n = 0; n < 5 * QUOTA; n++) expect(await status('soon')).toBe(404);
  expect(state.queries).toBe(1);
  state.known.add('soon');
  state.now += 10_000;
  expect(await status('soon')).toBe(200);
});

test('look-ups that still run count: many at once are refused', async () => {
  const { state, status } = setUp();
  const all = await Promise.all(Array.from({ length: 3 * QUOTA }, (_, n) => status(`id ${n}`)));
  expect(all.filter((one) => one === 404)).toHaveLength(QUOTA);
  expect(all.filter((one) => one === 429)).toHaveLength(2 * QUOTA);
  expect(state.queries).toBe(QUOTA);
});

test('a look-up that fails is no miss', async () => {
  const { state, status, guess } = setUp();
  state.isAway = true;
  for (let n = 0; n < 3 * QUOTA; n++) expect(await status(`id ${n}`)).toBe(503);
  state.isAway = false;
  expect(await guess('192.0.2.1')).toBe(QUOTA);
});

test('memory is bounded, and an address is forgotten a minute after its last miss', async () => {
  const { state, guess, status } = setUp();
  expect(await guess('192.0.2.1')).toBe(QUOTA);
  for (let n = 0; n < 10_000; n++) await status(`id ${n}`, `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  // Ten thousand others came since: it is forgotten before its time.
  expect(await guess('192.0.2.1')).toBe(QUOTA);
  expect(await status('id 1')).toBe(429);
  state.now += 60_000;
  expect(await status('id 1')).toBe(404);
});
