import { randomBytes, randomUUID } from 'node:crypto';
import { verifyPassword } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { createFirstOwnerLink } from '../../../../lib/accounts/auth/first-owner.ts';
import { enter, findDoor, signUp } from '../../../../lib/accounts/auth/sign-up.ts';
import { createAccount } from '../../../../lib/accounts/create-account.ts';
import { inviteMember, previewInvitation, revokeInvitation } from '../../../../lib/projects/invitations.ts';
import { createTeam, outcomeOf } from '../../../security/team.ts';
import { useDatabase } from '../../../services/database.ts';

const database = useDatabase();
const password = 'correct horse battery';
const newAddress = () => `ada.${randomUUID()}@example.com`;

const door = (isSignUpOpen: boolean) => ({
  ...{ sql: database().sql, now: Date.now, authKey: 'k'.repeat(32), isSignUpOpen },
});
const personOf = async (email: string) => {
  const [row] = await database().sql`
    select users.name, email_verified, credential.provider, account = users.id::text as is_account, password, project.name as project,
      member.role, environment.name as environment
    from users join user_credentials credential on credential.user_id = users.id
    join project_members member on member.user_id = users.id join projects project on project.id = member.project_id
    join environments environment on environment.project_id = project.id
    where lower(email) = lower(${email})`;
  return row;
};

test('an account has a password, an address to confirm, and a project of its own', async () => {
  const email = newAddress();
  expect(await signUp(door(true), { email, password })).toEqual({ emailConfirmed: false });
  const name = email.slice(0, email.indexOf('@'));
  const person = await personOf(email);
  expect(person).toEqual({
    ...{
      name,
      email_verified: false,
      provider: 'credential',
      is_account: true,
      password: expect.any(String),
    },
    ...{ project: name, role: 'owner', environment: 'production' },
  });
  expect(await verifyPassword({ hash: person?.password, password })).toBe(true);
  const named = newAddress();
  await signUp(door(true), { email: named, password, name: 'Ada' });
  expect(await personOf(named)).toMatchObject({ name: 'Ada', project: 'Ada' });
});

test('an address has one account', async () => {
  const email = newAddress();
  await signUp(door(true), { email, password });
  const before = await personOf(email);
  await expect(
    signUp(door(true), { email: email.toUpperCase(), password: 'another one' }),
  ).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('an account already') },
  });
  expect(await personOf(email)).toEqual(before);
});

test('where sign-up is closed, an open invitation lets people in and stays', async () => {
  const { sql } = database();
  const { owner, projectId } = await createTeam(sql);
  const { url, id } = await inviteMember(owner.ctx, { projectId, role: 'viewer' });
  const invitation = url.split('#')[1] ?? '';
  const email = newAddress();
  const call = (secret?: string, address = newAddress()) =>
    signUp(door(false), { email: address, password, invitation: secret });
  expect(await call(invitation, email)).toEqual({ emailConfirmed: false });
  expect(await personOf(email)).toMatchObject({ role: 'owner' });
  expect(await outcomeOf(previewInvitation({ sql }, { secret: invitation }))).toBe('done');
  await expect(call(undefined)).rejects.toMatchObject({
    ...{ code: 'FORBIDDEN', message: expect.stringContaining('without an invitation') },
  });
  const refused = newAddress();
  const wrong = { code: 'FORBIDDEN', message: expect.stringContaining('This invitation') };
  await expect(call(randomBytes(32).toString('base64url'), refused)).rejects.toMatchObject(wrong);
  await revokeInvitation(owner.ctx, { projectId, invitationId: id });
  await expect(call(invitation, refused)).rejects.toMatchObject(wrong);
  expect(await sql`select from users where email = ${refused}`).toEqual([]);
  expect(await outcomeOf(signUp(door(true), { email: refused, password, invitation }))).toBe('done');
});

test('a link of the first owner that isn’t right opens nothing', async () => {
  const firstOwner = `1234567890.${'a'.repeat(43)}`;
  await expect(signUp(door(true), { email: newAddress(), password, firstOwner })).rejects.toMatchObject({
    ...{ code: 'FORBIDDEN', message: expect.stringContaining('first owner') },
  });
});

test('an account of the operator has the given id, and the address is confirmed only if they say so', async () => {
  const { sql } = database();
  const id = randomUUID();
  const given = await createAccount({ sql }, { id, email: newAddress(), name: 'Ada', emailConfirmed: false });
  expect(given.userId).toBe(id);
  const other = await createAccount({ sql }, { email: newAddress(), name: 'Bo', emailConfirmed: true });
  const rows =
    await sql`select email_verified from users where id in (${id}, ${other.userId}) order by email_verified`;
  expect(rows).toEqual([{ email_verified: false }, { email_verified: true }]);
});

describe('in a service without an owner', () => {
  const empty = useDatabase();

  test('of many who come through the first owner’s link in one moment one becomes the owner', async () => {
    const { sql } = empty();
    const ctx = { ...door(false), sql };
    const link = await createFirstOwnerLink({ ...ctx, publicUrl: 'https://vendor.example' });
    const opened = await findDoor(ctx, { firstOwner: link?.split('#first-owner=')[1] });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        outcomeOf(enter(ctx, opened, { email: newAddress(), name: 'Ada', hash: 'h' })),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(7).fill('FORBIDDEN'), 'done']);
    expect(await sql`select from user_credentials`).toHaveLength(1);
  });
});
