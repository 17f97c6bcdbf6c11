/** How the sign-in library reads and writes our tables. */
import { randomUUID } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import type { AuthKeys } from '../../../../lib/accounts/auth/auth-keys.ts';
import { createAuth } from '../../../../lib/accounts/auth/create-auth.ts';
import { hashToken } from '../../../../lib/tokens.ts';
import { createPerson } from '../../../security/tenant.ts';
import { useDatabase } from '../../../services/database.ts';

const database = useDatabase();
const KEYS: AuthKeys = { current: 'k'.repeat(32) };

async function open(keys = KEYS) {
  const { sql } = database();
  const auth = createAuth({ sql, keys, publicUrl: 'http://vendor.example', useCode: async () => true });
  const { adapter } = await auth.$context;
  const { userId, email } = await createPerson(sql);
  await sql`delete from user_sessions where user_id = ${userId}`;
  return { sql, adapter, userId, email };
}
const by = (field: string, value: unknown, operator?: 'lt' | 'lte' | 'gt' | 'gte' | 'eq' | 'contains') => ({
  ...{ field, value: value as string, ...(operator && { operator }) },
});
const at = (second: number) => new Date(Date.UTC(2126, 0, 1, 0, 0, second));

test('a person is found by address in any case of letters, and changed', async () => {
  const { sql, adapter, userId, email } = await open();
  const created = (await sql`select created_at, updated_at from users where id = ${userId}`)[0];
  const person = {
    ...{ id: userId, email, name: '', emailVerified: true, twoFactorEnabled: false },
    ...{ createdAt: created?.created_at, updatedAt: created?.updated_at },
  };
  await sql`update users set email = upper(email) where id = ${userId}`;
  const found = await adapter.findOne({ model: 'user', where: [by('email', email)] });
  expect(found).toMatchObject({ ...person, email: email.toUpperCase() });
  expect(await adapter.findOne({ model: 'user', where: [by('email', `x${email}`)] })).toBeNull();
  const update = { name: 'Ada', email, emailVerified: false, twoFactorEnabled: true, updatedAt: at(1) };
  expect(await adapter.update({ model: 'user', where: [by('id', userId)], update })).toMatchObject({
    ...person,
    ...update,
  });
  expect(
    await sql`
      select name, email, email_verified, second_factor, updated_at from users where id = ${userId}`,
  ).toEqual([{ name: 'Ada', email, email_verified: false, second_factor: true, updated_at: at(1) }]);
});

test('a session is stored by the hash of its token, with the names of browser and system', async () => {
  const { sql, adapter, userId } = await open();
  const token = randomUUID();
  const userAgent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
  const data = {
    userId,
    token,
    userAgent,
    ipAddress: '192.0.2.1',
    expiresAt: at(1),
    createdAt: at(0),
    updatedAt: at(0),
  };
  const made = await adapter.create({ model: 'session', data });
  expect(made).toMatchObject({ userId, token, expiresAt: at(1), createdAt: at(0), updatedAt: at(0) });
  expect(
    await sql`select encode(hash, 'hex') as hash, browser, os from user_sessions where user_id = ${userId}`,
  ).toEqual([{ hash: await hashToken(token), browser: 'Chrome', os: 'Windows' }]);
  expect(await adapter.findOne({ model: 'session', where: [by('token', token)] })).toMatchObject({
    id: made.id,
    token,
  });
  expect(
    await adapter.findOne({ model: 'session', where: [by('token', await hashToken(token))] }),
  ).toBeNull();
  expect(await adapter.findMany({ model: 'session', where: [by('userId', userId)] })).toMatchObject([
    { id: made.id, token: '' },
  ]);
  const moved = await adapter.update({
    model: 'session',
    where: [by('token', token)],
    update: { expiresAt: at(2) },
  });
  expect(moved).toMatchObject({ token, expiresAt: at(2) });
  await adapter.delete({ model: 'session', where: [by('token', token)] });
  expect(await sql`select from user_sessions where user_id = ${userId}`).toEqual([]);
});

test('a sign-in deletes the person’s sessions that ended', async () => {
  const { sql, adapter, userId } = await open();
  const other = await createPerson(sql);
  for (const [id, hours] of [
    [userId, -1],
    [userId, 1],
    [other.userId, -1],
  ] as const)
    await sql`
      insert into user_sessions (user_id, hash, expires_at)
      values (${id}, sha256(gen_random_uuid()::text::bytea), now() + make_interval(hours => ${hours}))`;
  await adapter.create({
    model: 'session',
    data: { userId, token: randomUUID(), expiresAt: at(1), createdAt: at(0), updatedAt: at(0) },
  });
  const counts =
    await sql`select user_id, count(*)::int as sessions from user_sessions where user_id in (${userId}, ${other.userId}) group by user_id`;
  expect(counts).toHaveLength(2);
  expect(counts).toEqual(
    expect.arrayContaining([
      { user_id: userId, sessions: 2 },
      { user_id: other.userId, sessions: 2 },
    ]),
  );
  expect(await sql`select browser, os from user_sessions where user_id = ${userId}`).toEqual(
    Array(2).fill({ browser: null, os: null }),
  );
});

test('what is waited for is used once, and expired rows go', async () => {
  const { sql, adapter } = await open();
  const [value, identifier] = [randomUUID(), randomUUID()];
  await sql`insert into user_verifications (identifier, value, expires_at) values (${identifier}, ${value}, now() - interval '1 second')`;
  const data = { identifier, value, expiresAt: at(1), createdAt: at(0), updatedAt: at(0) };
  const made = await adapter.create({ model: 'verification', data });
  expect(made).toMatchObject(data);
  expect(await sql`select id, identifier from user_verifications where value = ${value}`).toEqual([
    { id: made.id, identifier },
  ]);
  const one = { model: 'verification', where: [by('identifier', identifier)] };
  expect(await adapter.findOne(one)).toMatchObject(data);
  expect(await adapter.consumeOne(one)).toMatchObject({ id: made.id, value });
  expect([await adapter.consumeOne(one), await adapter.findOne(one)]).toEqual([null, null]);
});

test('rows are compared, ordered and counted', async () => {
  const { adapter } = await open();
  const value = randomUUID();
  for (const second of [1, 2, 3])
    await adapter.create({
      model: 'verification',
      data: {
        identifier: `${value} ${second}`,
        value,
        expiresAt: at(second),
        createdAt: at(0),
        updatedAt: at(0),
      },
    });
  const model = 'verification';
  const of = (...where: ReturnType<typeof by>[]) => [by('value', value), ...where];
  const find = async (where: ReturnType<typeof by>[], more: object = {}) => {
    const rows = await adapter.findMany<{ identifier: string }>({ model, where, ...more });
    return rows.map(({ identifier }) => Number(identifier.at(-1)));
  };
  const up = { sortBy: { field: 'expiresAt', direction: 'asc' } };
  expect(await find(of(), up)).toEqual([1, 2, 3]);
  expect(await find(of(), { sortBy: { field: 'expiresAt', direction: 'desc' } })).toEqual([3, 2, 1]);
  expect(await find(of(), { ...up, limit: 2 })).toEqual([1, 2]);
  expect((await find(of())).toSorted()).toEqual([1, 2, 3]);
  expect(await find(of(by('expiresAt', at(2), 'lt')), up)).toEqual([1]);
  expect(await find(of(by('expiresAt', at(2), 'lte')), up)).toEqual([1, 2]);
  expect(await find(of(by('expiresAt', at(2), 'gt')), up)).toEqual([3]);
  expect(await find(of(by('expiresAt', at(2), 'gte')), up)).toEqual([2, 3]);
  expect(await find(of(by('expiresAt', at(2), 'eq')), up)).toEqual([2]);
  expect(await adapter.count({ model, where: of(by('expiresAt', at(1), 'gt')) })).toBe(2);
  expect(
    await adapter.updateMany({
      model,
      where: of(by('expiresAt', at(2), 'lt')),
      update: { expiresAt: at(4) },
    }),
  ).toBe(1);
  expect(await find(of(), up)).toEqual([2, 3, 1]);
  expect(await adapter.deleteMany({ model, where: of(by('expiresAt', at(3), 'gte')) })).toBe(2);
  expect(await find(of(), up)).toEqual([2]);
});

test('a password is one of the person’s credentials', async () => {
  const { sql, adapter, userId } = await open();
  const data = {
    userId,
    providerId: 'credential',
    accountId: userId,
    password: 'hash',
    createdAt: at(0),
    updatedAt: at(0),
  };
  const made = await adapter.create({ model: 'account', data });
  expect(made).toMatchObject(data);
  const where = [by('userId', userId), by('providerId', 'credential')];
  expect(await adapter.findMany({ model: 'account', where })).toMatchObject([{ ...data, id: made.id }]);
  expect(
    await adapter.findMany({ model: 'account', where: [by('accountId', userId), by('id', made.id)] }),
  ).toHaveLength(1);
  for (const value of [userId, 'somebody'])
    await sql`insert into user_verifications (identifier, value, expires_at) values (${userId}, ${value}, '2126-01-01')`;
  const links = async () =>
    (await sql`select value from user_verifications where identifier = ${userId}`).length;
  await adapter.update({ model: 'account', where, update: { updatedAt: at(1) } });
  expect(await links()).toBe(2);
  expect(
    await adapter.update({ model: 'account', where, update: { password: 'new', updatedAt: at(2) } }),
  ).toMatchObject({ ...data, password: 'new', updatedAt: at(2) });
  expect(await links()).toBe(1);
  expect(
    await sql`select password, provider, account from user_credentials where user_id = ${userId}`,
  ).toEqual([{ password: 'new', provider: 'credential', account: userId }]);
  // Fields without a column aren't stored.
  expect(
    await adapter.update({ model: 'account', where, update: { scope: 'x', accountId: 'other' } }),
  ).toMatchObject({
    ...{ id: made.id, accountId: 'other', password: 'new' },
  });
});

test('wrong codes are counted in the row', async () => {
  const { sql, adapter, userId } = await open();
  const data = { userId, secret: 's', backupCodes: 'b', verified: false, failedVerificationCount: 0 };
  const made = await adapter.create({ model: 'twoFactor', data });
  expect(made).toMatchObject({ ...data, lockedUntil: null });
  const where = [by('userId', userId)];
  // A change of nothing finds the row.
  expect(await adapter.update({ model: 'twoFactor', where, update: {} })).toEqual(made);
  const count = (set?: object, ...more: ReturnType<typeof by>[]) =>
    adapter.incrementOne({
      model: 'twoFactor',
      where: [...where, ...more],
      increment: { failedVerificationCount: 2 },
      ...(set && { set: set as Record<string, unknown> }),
    });
  expect(await count()).toMatchObject({ failedVerificationCount: 2, lockedUntil: null });
  expect(await count({ lockedUntil: at(1), verified: true })).toMatchObject({
    failedVerificationCount: 4,
    lockedUntil: at(1),
    verified: true,
  });
  expect(await count({}, by('failedVerificationCount', 4, 'lt'))).toBeNull();
  expect(await count({}, by('lockedUntil', null))).toBeNull();
  expect(
    await adapter.update({
      model: 'twoFactor',
      where,
      update: { lockedUntil: null, secret: 't', backupCodes: 'c' },
    }),
  ).toMatchObject({ id: made.id, secret: 't', backupCodes: 'c', lockedUntil: null });
  expect(await count({}, by('lockedUntil', null))).toMatchObject({ failedVerificationCount: 6 });
  expect(
    await sql`select failures, locked_until, verified, secret, backup_codes from user_second_factors where user_id = ${userId}`,
  ).toEqual([{ failures: 6, locked_until: null, verified: true, secret: 't', backup_codes: 'c' }]);
});

test('a second factor of the old key is read with the new one', async () => {
  const keys = { current: 'n'.repeat(32), previous: KEYS.current };
  const { sql, adapter, userId } = await open(keys);
  const seal = (key: string) => Promise.all(['s', 'b'].map((data) => symmetricEncrypt({ key, data })));
  const [secret = '', backupCodes = ''] = await seal(KEYS.current);
  await sql`insert into user_second_factors (user_id, secret, backup_codes) values (${userId}, ${secret}, ${backupCodes})`;
  const find = () =>
    adapter.findOne<{ secret: string; backupCodes: string }>({
      model: 'twoFactor',
      where: [by('userId', userId)],
    });
  const found = await find();
  const opened = [found?.secret ?? '', found?.backupCodes ?? ''].map((data) =>
    symmetricDecrypt({ key: keys.current, data }),
  );
  expect(await Promise.all(opened)).toEqual(['s', 'b']);
  expect(await find()).toEqual(found);
  const [lost = '', lostCodes = ''] = await seal('x'.repeat(32));
  await sql`update user_second_factors set secret = ${lost}, backup_codes = ${lostCodes} where user_id = ${userId}`;
  expect(await find()).toMatchObject({ secret: lost, backupCodes: lostCodes });
});

test('what the library never asks is an error', async () => {
  const { adapter, email } = await open();
  const find = (...where: object[]) =>
    adapter.findOne({ model: 'user', where: where as ReturnType<typeof by>[] });
  await expect(find(by('email', email, 'contains'))).rejects.toThrow('not compared like this');
  await expect(find(by('email', email), { ...by('name', ''), connector: 'OR' })).rejects.toThrow(
    'not looked up like this',
  );
  await expect(find({ ...by('email', email), connector: 'OR' })).rejects.toThrow('not looked up like this');
  await expect(adapter.findOne({ model: 'account', where: [by('scope', 'x')] })).rejects.toThrow(
    'not looked up like this',
  );
  await expect(adapter.findOne({ model: 'rateLimit', where: [by('id', 'x')] })).rejects.toThrow();
});
