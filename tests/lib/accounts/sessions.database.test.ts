import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Session } from '../../../lib/accounts/auth/schemas.ts';
import { findSession } from '../../../lib/accounts/find-session.ts';
import {
  hasSecondFactor,
  noteProof,
  requireCode,
  requireProof,
  voidProofs,
} from '../../../lib/accounts/proofs.ts';
import { listSessions, revokeOtherSessions, revokeSession } from '../../../lib/accounts/sessions.ts';
import { ageSessions, expectFits, outcomeOf, type SignedPerson, signIn } from '../../security/team.ts';
import { createPerson, createUnconfirmed } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

const newPerson = async () => signIn(database().sql, await createPerson(database().sql));

async function addSession({ userId }: SignedPerson, createdAt: string, expiresAt = '2126-01-01T00:00:00Z') {
  const [row] = await database().sql`
    insert into user_sessions (user_id, hash, browser, os, created_at, expires_at)
    values (${userId}, sha256(gen_random_uuid()::text::bytea), 'Firefox', 'Linux', ${createdAt}, ${expiresAt}) returning id`;
  return String(row?.id);
}

test('a person sees their sessions that last, newest first', async () => {
  const person = await newPerson();
  const { sessionId } = person.ctx.actor;
  const old = await addSession(person, '2026-01-01T00:00:00Z');
  await addSession(person, '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z');
  await addSession(await newPerson(), '2026-01-02T00:00:00Z');
  for (const session of await listSessions(person.ctx)) expectFits(Session, session);
  expect(await listSessions(person.ctx)).toEqual([
    {
      ...{ id: sessionId, browser: null, os: null, current: true },
      ...{ createdAt: expect.stringMatching(/Z$/), expiresAt: expect.stringMatching(/Z$/) },
    },
    {
      ...{ id: old, browser: 'Firefox', os: 'Linux', current: false },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2126-01-01T00:00:00.000Z' },
    },
  ]);
});

test('a person ends their own sessions', async () => {
  const person = await newPerson();
  const sessionId = await addSession(person, '2026-01-01T00:00:00Z');
  expect(await outcomeOf(revokeSession((await newPerson()).ctx, { sessionId }))).toBe('NOT_FOUND');
  expect(await outcomeOf(revokeSession(person.ctx, { sessionId: randomUUID() }))).toBe('NOT_FOUND');
  expect(await listSessions(person.ctx)).toHaveLength(2);
  expect(await outcomeOf(revokeSession(person.ctx, { sessionId }))).toBe('done');
  expect(await listSessions(person.ctx)).toMatchObject([{ current: true }]);
});

test('ending all other sessions ends mailed links too, and nobody else’s', async () => {
  const { sql } = database();
  const [person, other] = [await newPerson(), await newPerson()];
  await addSession(person, '2026-01-01T00:00:00Z');
  await addSession(other, '2026-01-01T00:00:00Z');
  for (const { userId } of [person, other])
    await sql`insert into user_verifications (identifier, value, expires_at) values (${userId}, ${userId}, '2126-01-01')`;
  await revokeOtherSessions(person.ctx);
  expect(await listSessions(person.ctx)).toMatchObject([{ current: true }]);
  expect(await listSessions(other.ctx)).toHaveLength(2);
  expect(
    await sql`select value from user_verifications where value in (${person.userId}, ${other.userId})`,
  ).toEqual([{ value: other.userId }]);
});

test('a session is found by its cookie until it ends', async () => {
  const { sql } = database();
  const person = await createPerson(sql);
  const value = decodeURIComponent(person.cookie.slice(person.cookie.indexOf('=') + 1));
  const [session] = await sql`select id from user_sessions where user_id = ${person.userId}`;
  const actor = { kind: 'session', sessionId: session?.id, userId: person.userId };
  expect(await findSession({ sql }, value)).toEqual({ actor, isConfirmed: true });
  const unconfirmed = await createUnconfirmed(sql);
  const other = decodeURIComponent(unconfirmed.cookie.slice(unconfirmed.cookie.indexOf('=') + 1));
  expect(await findSession({ sql }, other)).toMatchObject({ isConfirmed: false });
  const [token = '', signature = ''] = value.split('.');
  const unknown = createHash('md5').update(randomUUID()).digest('hex');
  for (const wrong of [
    '',
    token,
    `${unknown}.${signature}`,
    `${value}=`,
    `a${value}`,
    `${token}.${signature.slice(1)}`,
    `${token.slice(1)}-.${signature}`,
    `${token}x${signature}`,
  ])
    expect(await findSession({ sql }, wrong), wrong).toBeUndefined();
  await sql`update user_sessions set expires_at = now() where id = ${session?.id}`;
  expect(await findSession({ sql }, value)).toBeUndefined();
});

test('a proof counts for 10 minutes, and the sign-in is one', async () => {
  const { sql } = database();
  const person = await newPerson();
  const { ctx, userId } = person;
  const proof = () => outcomeOf(requireProof(ctx));
  const since = (minutes: number) =>
    sql`update user_sessions set created_at = now() - make_interval(mins => ${minutes}) where user_id = ${userId}`;
  expect(await proof()).toBe('done');
  await since(9);
  expect(await proof()).toBe('done');
  await since(11);
  expect(await proof()).toBe('FORBIDDEN');
  await noteProof(ctx);
  expect(await proof()).toBe('done');
  await sql`update user_sessions set proven_at = now() - interval '11 minutes', created_at = now() where user_id = ${userId}`;
  expect(await proof()).toBe('FORBIDDEN');
  const key = {
    ...{ kind: 'apiToken' as const, tokenId: randomUUID(), userId, access: 'write' as const },
    projectIds: null,
    siteIds: null,
  };
  expect(await outcomeOf(requireProof({ ...ctx, actor: key }))).toBe('done');
});

test('a proof is of one session, and all of a person’s can be voided', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  await ageSessions(database().sql, person);
  const sessionId = await addSession(person, new Date().toISOString());
  const second = { ...person.ctx, actor: { ...person.ctx.actor, sessionId } };
  await noteProof(other.ctx);
  expect(await outcomeOf(requireProof(person.ctx))).toBe('FORBIDDEN');
  await noteProof(person.ctx);
  expect([await outcomeOf(requireProof(person.ctx)), await outcomeOf(requireProof(second))]).toEqual([
    'done',
    'done',
  ]);
  await voidProofs(person.ctx);
  expect([await outcomeOf(requireProof(person.ctx)), await outcomeOf(requireProof(second))]).toEqual([
    'FORBIDDEN',
    'FORBIDDEN',
  ]);
  expect(await outcomeOf(requireProof(other.ctx))).toBe('done');
});

test('with a password only people with a second factor need a proof', async () => {
  const { sql } = database();
  const person = await newPerson();
  await ageSessions(sql, person);
  expect([await hasSecondFactor(person.ctx), await outcomeOf(requireCode(person.ctx))]).toEqual([
    false,
    'done',
  ]);
  await sql`update users set second_factor = true where id = ${person.userId}`;
  expect([await hasSecondFactor(person.ctx), await outcomeOf(requireCode(person.ctx))]).toEqual([
    true,
    'FORBIDDEN',
  ]);
  await noteProof(person.ctx);
  expect(await outcomeOf(requireCode(person.ctx))).toBe('done');
  await sql`delete from users where id = ${person.userId}`;
  expect(await hasSecondFactor(person.ctx)).toBe(false);
});
