import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { FoundApiToken } from '../../../lib/accounts/find-api-token.ts';
import { DomainError } from '../../../lib/errors.ts';
import { type ApiTokenVariables, apiTokenGate } from '../../../lib/http/api-token-gate.ts';
import { statusOf } from '../../../lib/http/http-errors.ts';
import { guardLookUps } from '../../../lib/http/look-ups.ts';
import { type OwnerLookUp, rememberOwners, TOKEN_FRESH_MS } from '../../../lib/http/remember-owners.ts';
import { createToken, hashToken } from '../../../lib/tokens.ts';

const newToken = () => createToken('vapi', (bytes) => crypto.getRandomValues(bytes));
const actor: FoundApiToken['actor'] = {
  ...{ kind: 'apiToken', tokenId: 't', userId: 'u', access: 'write', projectIds: null, siteIds: null },
};

/** A table of tokens instead of the database, and a clock. */
function setUp() {
  const known = new Map<string, FoundApiToken>();
  const state = { now: 0, queries: 0 };
  const now = () => state.now;
  const tokens: OwnerLookUp<FoundApiToken> = rememberOwners({
    guard: guardLookUps(now),
    freshMs: TOKEN_FRESH_MS,
    now,
    find: async (hash) => {
      state.queries += 1;
      return known.get(hash);
    },
  });
  const app = new Hono<{
    Variables: ApiTokenVariables & { resources: { tokens: OwnerLookUp<FoundApiToken> } };
  }>();
  app.use(async (c, next) => {
    c.set('resources', { tokens });
    await next();
  });
  app.get('/', apiTokenGate(), (c) => c.json(c.var.actor));
  app.onError((error, c) => c.text('', error instanceof DomainError ? statusOf(error.code) : 500));
  const status = async (authorization?: string, address = '192.0.2.1') => {
    const headers = new Headers({ 'CF-Connecting-IP': address });
    if (authorization !== undefined) headers.set('Authorization', authorization);
    return (await app.request('/', { headers })).status;
  };
  const add = async (endsAt: number | null = null) => {
    const token = newToken();
    known.set(await hashToken(token), { actor, endsAt });
    return { token, revoke: async () => known.delete(await hashToken(token)) };
  };
  return { state, status, add };
}

test('a token revoked elsewhere stops working within 60 s; meanwhile one query serves for half of that', async () => {
  const { state, status, add } = setUp();
  const { token, revoke } = await add();
  expect(await status(`Bearer ${token}`)).toBe(200);
  state.now = 29_999;
  expect(await status(`Bearer ${token}`)).toBe(200);
  expect(state.queries).toBe(1);
  await revoke();
  expect(await status(`Bearer ${token}`)).toBe(200);
  state.now = 30_000;
  expect(await status(`Bearer ${token}`)).toBe(401);
  expect(state.queries).toBe(2);
});

test('a token that has ended is refused at once, also if it is remembered', async () => {
  const { state, status, add } = setUp();
  const [past, future] = [await add(Date.now() - 1), await add(Date.now() + 60_000)];
  expect(await status(`Bearer ${past.token}`)).toBe(401);
  expect(await status(`Bearer ${past.token}`)).toBe(401);
  expect(state.queries).toBe(1);
  expect(await status(`Bearer ${future.token}`)).toBe(200);
});

test('a token that nobody has costs one query in 10 s', async () => {
  const { state, status } = setUp();
  const token = newToken();
  for (let n = 0; n < 5; n++) expect(await status(`Bearer ${token}`)).toBe(401);
  expect(state.queries).toBe(1);
  state.now = 10_000;
  expect(await status(`Bearer ${token}`)).toBe(401);
  expect(state.queries).toBe(2);
});

test('what can be no token never reaches the database', async () => {
  const { state, status, add } = setUp();
  const { token } = await add();
  const last = token.at(-1) === '0' ? '1' : '0';
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token} `.concat('x'),
    `Bearer ${token},${token}`,
    `Bearer ${token.slice(0, -1)}${last}`,
    `Bearer ${createToken('ving', (bytes) => crypto.getRandomValues(bytes))}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ' or 1=1 --`,
  ];
  for (const authorization of wrong)
    expect([authorization, await status(authorization)]).toEqual([authorization, 401]);
  expect(state.queries).toBe(0);
  expect(await status(`bearer ${token}`)).toBe(200);
});

test('made-up tokens push no good one out of memory, and the oldest of too many good ones goes', async () => {
  const { state, status, add } = setUp();
  const { token } = await add();
  await status(`Bearer ${token}`);
  for (let n = 0; n < 2500; n++)
    expect(await status(`Bearer ${newToken()}`, `198.51.${n >> 8}.${n & 255}`)).toBe(401);
  expect(await status(`Bearer ${token}`)).toBe(200);
  expect(state.queries).toBe(2501);
  for (let n = 0; n < 2000; n++) await status(`Bearer ${(await add()).token}`);
  expect(await status(`Bearer ${token}`)).toBe(200);
  expect(state.queries).toBe(4502);
});

test('an address of many made-up tokens is refused, its good ones are not, nor is another address', async () => {
  const { state, status, add } = setUp();
  const { token } = await add();
  await status(`Bearer ${token}`);
  for (let n = 0; n < 60; n++) expect(await status(`Bearer ${newToken()}`)).toBe(401);
  expect(await status(`Bearer ${newToken()}`)).toBe(429);
  expect(state.queries).toBe(61);
  expect(await status(`Bearer ${token}`)).toBe(200);
  expect(await status(`Bearer ${newToken()}`, '192.0.2.2')).toBe(401);
  state.now = 30_000;
  // It is asked for again, but it was known.
  expect(await status(`Bearer ${token}`)).toBe(200);
});
