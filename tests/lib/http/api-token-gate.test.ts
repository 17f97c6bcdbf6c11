import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import {
  type ApiTokenActor,
  type ApiTokenVariables,
  apiTokenGate,
  rememberTokens,
  type TokenLookup,
} from '../../../lib/http/api-token-gate.ts';
import { createToken, hashToken } from '../../../lib/tokens.ts';

const newToken = () => createToken('vapi', (bytes) => crypto.getRandomValues(bytes));
const actor: ApiTokenActor = { kind: 'apiToken', tokenId: 't', userId: 'u' };

/** A table of tokens in place of the database's, and a clock. */
function setUp() {
  const known = new Map<string, ApiTokenActor>();
  const state = { now: 0, queries: 0 };
  const tokens: TokenLookup = rememberTokens({
    now: () => state.now,
    find: async (hash) => {
      state.queries += 1;
      return known.get(hash);
    },
  });
  const app = new Hono<{ Variables: ApiTokenVariables & { resources: { tokens: TokenLookup } } }>();
  app.use(async (c, next) => {
    c.set('resources', { tokens });
    await next();
  });
  app.get('/', apiTokenGate(), (c) => c.json(c.var.actor));
  app.onError((error, c) =>
    c.text('', error instanceof DomainError && error.code === 'UNAUTHORIZED' ? 401 : 500),
  );
  const status = async (authorization?: string) =>
    (await app.request('/', { headers: authorization === undefined ? {} : { Authorization: authorization } }))
      .status;
  const add = async () => {
    const token = newToken();
    known.set(await hashToken(token), actor);
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

test('a token that nobody has costs one query in 30 s', async () => {
  const { state, status } = setUp();
  const token = newToken();
  for (let n = 0; n < 5; n++) expect(await status(`Bearer ${token}`)).toBe(401);
  expect(state.queries).toBe(1);
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

test('memory is bounded', async () => {
  const { state, status, add } = setUp();
  const { token } = await add();
  await status(`Bearer ${token}`);
  for (let n = 0; n < 2000; n++) await status(`Bearer ${newToken()}`);
  await status(`Bearer ${token}`);
  expect(state.queries).toBe(2002);
});
