import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createApiToken, listApiTokens, revokeApiToken } from '../../../lib/accounts/api-keys.ts';
import { createAccount } from '../../../lib/accounts/create-account.ts';
import { findApiToken } from '../../../lib/accounts/find-api-token.ts';
import { hashToken, isToken } from '../../../lib/tokens.ts';
import { asOperator } from '../../../tooling/operator.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

const someone = () => `Ada.${randomUUID()}@example.com`;

test('an account has a project of its own with an environment', async () => {
  const { sql } = database();
  const email = someone();
  const { userId, projectId, environmentId } = await createAccount(
    { sql },
    { email, name: 'Ada', emailConfirmed: true },
  );
  expect(
    await sql`
      select m.role, p.name, e.name as environment from project_members m
      join projects p on p.id = m.project_id join environments e on e.project_id = p.id
      where m.user_id = ${userId} and p.id = ${projectId} and e.id = ${environmentId}`,
  ).toEqual([{ role: 'owner', name: 'Ada', environment: 'production' }]);
});

test('an address has one account, however it is written', async () => {
  const { sql } = database();
  const email = someone();
  await createAccount({ sql }, { email, name: 'Ada', emailConfirmed: true });
  await expect(
    createAccount({ sql }, { email: email.toUpperCase(), name: 'Eve', emailConfirmed: true }),
  ).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(await sql`select name from users where lower(email) = lower(${email})`).toEqual([{ name: 'Ada' }]);
});

test('a token works until it is revoked, and only its hash is kept', async () => {
  const { sql } = database();
  const email = someone();
  const { userId } = await createAccount({ sql }, { email, name: 'Ada', emailConfirmed: true });
  const { id, token } = await createApiToken(asOperator(sql), { email: email.toLowerCase(), name: 'laptop' });
  expect(isToken('vapi', token)).toBe(true);
  const hash = await hashToken(token);
  const everything = { access: 'write', projectIds: null, siteIds: null };
  expect(await findApiToken({ sql }, hash)).toEqual({
    actor: { kind: 'apiToken', tokenId: id, userId, ...everything },
    endsAt: null,
  });
  expect(await sql`select encode(hash, 'hex') as hash from api_tokens where id = ${id}`).toEqual([{ hash }]);
  expect(await listApiTokens(asOperator(sql), { email })).toMatchObject([
    { id, name: 'laptop', lastUsedAt: expect.any(Date), revokedAt: null },
  ]);

  await revokeApiToken(asOperator(sql), { id });
  expect(await findApiToken({ sql }, hash)).toBeUndefined();
  expect(await listApiTokens(asOperator(sql), { email })).toMatchObject([
    { id, revokedAt: expect.any(Date) },
  ]);
  await expect(revokeApiToken(asOperator(sql), { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('tokens that an operator makes and revokes leave a line in the project’s audit log', async () => {
  const { sql } = database();
  const email = someone();
  const { projectId } = await createAccount({ sql }, { email, name: 'Ada', emailConfirmed: true });
  const ctx = asOperator(sql);
  const { id } = await createApiToken(ctx, { email, name: 'laptop' });
  await revokeApiToken(ctx, { id });
  expect(
    await sql`
      select action, actor, request_id, subject = sha256(convert_to(${`${projectId} ${id}`}::text, 'UTF8')) as is_subject
      from audit_log where project_id = ${projectId} order by at, action`,
  ).toEqual(
    ['api-key.create', 'api-key.revoke'].map((action) => ({
      ...{ action, actor: { kind: 'operator' }, request_id: ctx.requestId, is_subject: true },
    })),
  );
});

test('nobody gets a token for an address without an account', async () => {
  const { sql } = database();
  await expect(createApiToken(asOperator(sql), { email: someone(), name: 'x' })).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: 'No such account.' },
  });
  await expect(revokeApiToken(asOperator(sql), { id: 'no uuid' })).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: 'No such API token.' },
  });
});
