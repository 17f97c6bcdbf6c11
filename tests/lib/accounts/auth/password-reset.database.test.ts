import { verifyPassword } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import {
  createPasswordReset,
  replacePassword,
  resetPassword,
} from '../../../../lib/accounts/auth/password-reset.ts';
import { removeSecondFactor } from '../../../../lib/accounts/auth/second-factors.ts';
import { inviteMember } from '../../../../lib/projects/invitations.ts';
import { addPassword } from '../../../security/account-samples.ts';
import { addQueryToken } from '../../../security/session.ts';
import { createTeam, linesOf, outcomeOf, signIn } from '../../../security/team.ts';
import { createPerson, createUnconfirmed } from '../../../security/tenant.ts';
import { useDatabase } from '../../../services/database.ts';

const database = useDatabase();
const PASSWORD = 'lamps, ladders and rope';
const HOUR_MS = 60 * 60 * 1000;

const call = (now = Date.now()) => ({
  ...{ sql: database().sql, now: () => now, requestId: 'the call', tool: 'resetPassword', inputHash: null },
});
const linkOf = async (email: string, now?: number) => (await createPasswordReset(call(now), { email })) ?? '';
const rowsOf = (userId: string) =>
  database().sql`select identifier, value, expires_at from user_verifications where value = ${userId}`;

test('a link is good for an hour, and only its hash is stored', async () => {
  const { userId, email } = await createPerson(database().sql);
  const now = Date.now();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => linkOf(email.toUpperCase(), now)));
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9]{24}$/);
  for (const letters of [/[a-z]/, /[A-Z]/, /[0-9]/]) expect(tokens.join('')).toMatch(letters);
  const rows = await rowsOf(userId);
  expect(new Set(rows.map(({ identifier }) => identifier)).size).toBe(8);
  for (const row of rows) {
    expect(row.identifier).toMatch(/^[\w-]{43}$/);
    expect(row.expires_at.getTime()).toBe(now + HOUR_MS);
  }
});

test('nobody gets a link for an unknown address, and expired rows go', async () => {
  const { sql } = database();
  await sql`
    insert into user_verifications (identifier, value, expires_at)
    values ('old', 'nobody', now() - interval '1 second'), ('open', 'nobody', now() + interval '1 hour')`;
  expect(await createPasswordReset(call(), { email: 'nobody@example.com' })).toBeUndefined();
  expect(await sql`select identifier from user_verifications where value = 'nobody'`).toEqual([
    { identifier: 'open' },
  ]);
});

test('a new password ends whatever could be somebody else’s', async () => {
  const { sql } = database();
  const { owner, admin, projectId } = await createTeam(sql);
  await addPassword(sql, owner.userId);
  await sql`update users set email_verified = false where id = ${owner.userId}`;
  const { queryTokenId } = await addQueryToken(sql, owner.userId);
  const { id: invited } = await inviteMember(owner.ctx, { projectId, role: 'viewer' });
  const [key] = await sql`select id from api_tokens where user_id = ${owner.userId}`;
  const [token, second] = [await linkOf(owner.email), await linkOf(owner.email)];
  await resetPassword(call(), { token, password: PASSWORD });
  const [person] = await sql`
    select password, email_verified from users join user_credentials on user_id = users.id where users.id = ${owner.userId}`;
  expect(person?.email_verified).toBe(true);
  expect(await verifyPassword({ hash: person?.password, password: PASSWORD })).toBe(true);
  expect(await linesOf(sql, projectId)).toEqual(
    [
      ...[`member.invite ${invited} -`, `member.uninvite ${invited} -`],
      ...[`api-key.revoke ${key?.id} test`, `query-token.revoke ${queryTokenId} test`],
    ].toSorted(),
  );
  expect(
    await sql`select distinct actor, request_id, tool from audit_log where project_id = ${projectId} and action like '%.revoke'`,
  ).toEqual([
    { actor: { kind: 'mailedLink', userId: owner.userId }, request_id: 'the call', tool: 'resetPassword' },
  ]);
  expect(await sql`select from user_sessions where user_id = ${owner.userId}`).toEqual([]);
  expect(await sql`select from user_sessions where user_id = ${admin.userId}`).toHaveLength(1);
  expect(await rowsOf(owner.userId)).toEqual([]);
  for (const used of [token, second])
    await expect(resetPassword(call(), { token: used, password: PASSWORD })).rejects.toMatchObject({
      ...{ code: 'VALIDATION_ERROR', details: [{ path: 'token' }] },
    });
});

test('a first password leaves keys and invitations alone', async () => {
  const { sql } = database();
  const { owner, projectId } = await createTeam(sql);
  await inviteMember(owner.ctx, { projectId, role: 'viewer' });
  await resetPassword(call(), { token: await linkOf(owner.email), password: PASSWORD });
  expect((await linesOf(sql, projectId)).length).toBe(1);
  expect(
    await sql`select from api_tokens where user_id = ${owner.userId} and revoked_at is null`,
  ).toHaveLength(1);
  expect(await sql`select provider, account from user_credentials where user_id = ${owner.userId}`).toEqual([
    { provider: 'credential', account: owner.userId },
  ]);
});

test('a link that has ended, is unknown, or was used meanwhile changes nothing', async () => {
  const { sql } = database();
  const { userId, email } = await createUnconfirmed(sql);
  const reset = (token: string) => outcomeOf(resetPassword(call(), { token, password: PASSWORD }));
  expect(await reset('a'.repeat(24))).toBe('VALIDATION_ERROR');
  expect(await reset(await linkOf(email, Date.now() - HOUR_MS - 1000))).toBe('VALIDATION_ERROR');
  const replaced = replacePassword(call(), { identifier: 'no link', userId, hash: 'new' });
  expect(await outcomeOf(replaced)).toBe('VALIDATION_ERROR');
  expect(await sql`select from user_credentials where user_id = ${userId}`).toEqual([]);
  expect(await sql`select email_verified from users where id = ${userId}`).toEqual([
    { email_verified: false },
  ]);
});

test('an operator takes a second factor away', async () => {
  const { sql } = database();
  const { userId, email } = await signIn(sql, await createPerson(sql));
  const other = await createPerson(sql);
  for (const id of [userId, other.userId])
    await sql`insert into user_second_factors (user_id, secret, backup_codes) values (${id}, 's', 'b')`;
  await sql`update users set second_factor = true where id in (${userId}, ${other.userId})`;
  const remove = () => removeSecondFactor({ sql }, { email: email.toUpperCase() });
  expect([await remove(), await remove()]).toEqual([true, false]);
  expect(
    await sql`
      select users.id, second_factor, factor.id is not null as has from users left join user_second_factors factor on user_id = users.id
      where users.id in (${userId}, ${other.userId}) order by second_factor`,
  ).toEqual([
    { id: userId, second_factor: false, has: false },
    { id: other.userId, second_factor: true, has: true },
  ]);
});
