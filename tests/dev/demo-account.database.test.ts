import { verifyPassword } from 'better-auth/crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  type DemoAccount,
  ensureDemoAccount,
  ensureDemoSite,
  shareWithOwner,
} from '../../dev/demo-account.ts';
import { findApiToken } from '../../lib/accounts/find-api-token.ts';
import { findQueryToken } from '../../lib/accounts/find-query-token.ts';
import type { Sql } from '../../lib/db.ts';
import { findIngestKey } from '../../lib/projects/find-ingest-key.ts';
import { createToken, hashToken, isToken } from '../../lib/tokens.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();
let sql: Sql;

beforeAll(() => {
  sql = database().sql;
});

test('without keys the demo person has no password, and whoever chose the first one owns the project too', async () => {
  const { projectId } = await ensureDemoSite(sql);
  const owners = async () =>
    (
      await sql`
        select users.email from project_members join users on users.id = user_id
        where project_id = ${projectId} and role = 'owner' order by email`
    ).map(({ email }) => email);
  await shareWithOwner(sql, projectId);
  expect(await owners()).toEqual(['demo@vendor.local']);
  await sql`
    with people as (insert into users (email) values ('first@example.com'), ('second@example.com') returning id, email)
    insert into user_credentials (user_id, provider, account, password, created_at)
    select id, 'credential', id::text, 'hash', now() + case email when 'first@example.com' then '0 s' else '1 s' end::interval
    from people`;
  for (let again = 0; again < 2; again++) await shareWithOwner(sql, projectId);
  expect(await owners()).toEqual(['demo@vendor.local', 'first@example.com']);
  await sql`delete from users where email <> 'demo@vendor.local'`;
});

test('the first start makes the account, later ones find it and keep its keys', async () => {
  const first = await ensureDemoAccount(sql);
  expect(first.email).toBe('demo@vendor.local');
  expect(isToken('vapi', first.apiToken)).toBe(true);
  expect(isToken('ving', first.ingestKey) && isToken('vqry', first.queryToken)).toBe(true);
  expect(await ensureDemoAccount(sql, first)).toEqual(first);
  expect(await sql`select email_verified from users where email = ${first.email}`).toEqual([
    { email_verified: true },
  ]);
  const rows = await sql`
    select s.domain, e.name as environment, m.role
    from sites s
    join environments e on e.project_id = s.project_id
    join project_members m on m.project_id = s.project_id
    where s.id = ${first.siteId} and e.id = ${first.environmentId} and s.project_id = ${first.projectId}`;
  expect(rows).toEqual([{ domain: 'localhost', environment: 'production', role: 'owner' }]);
});

test('a lost token is replaced, and no longer works', async () => {
  const before = await ensureDemoAccount(sql);
  const after = await ensureDemoAccount(sql);
  expect(after.siteId).toBe(before.siteId);
  expect(await findApiToken({ sql }, await hashToken(before.apiToken))).toBeUndefined();
  expect(await findApiToken({ sql }, await hashToken(after.apiToken))).toMatchObject({
    actor: { kind: 'apiToken' },
  });
});

test('its password signs in, and lost keys are replaced and no longer work', async () => {
  const before = await ensureDemoAccount(sql);
  const [row] = await sql`
    select password from user_credentials c join users u on u.id = c.user_id where u.email = ${before.email}`;
  expect(await verifyPassword({ hash: row?.password, password: before.password })).toBe(true);
  const after = await ensureDemoAccount(sql);
  expect(await findIngestKey({ sql }, await hashToken(before.ingestKey))).toBeUndefined();
  expect(await findIngestKey({ sql }, await hashToken(after.ingestKey))).toMatchObject({ outcomes: true });
  expect(await findQueryToken({ sql }, await hashToken(before.queryToken))).toBeUndefined();
  expect(await findQueryToken({ sql }, await hashToken(after.queryToken))).toMatchObject({
    actor: { siteIds: null },
  });
});

test('the password is drawn once, and again if nobody knows it any more', async () => {
  const hash = async () => {
    const [row] = await sql`
      select password from user_credentials c join users u on u.id = c.user_id where u.email = 'demo@vendor.local'`;
    return row?.password;
  };
  const first = await ensureDemoAccount(sql);
  const kept = await hash();
  expect((await ensureDemoAccount(sql, first)).password).toBe(first.password);
  expect(await hash()).toBe(kept);
  const { password } = await ensureDemoAccount(sql);
  expect(password).not.toBe(first.password);
  expect(await verifyPassword({ hash: await hash(), password })).toBe(true);
});

test.each([
  ['project', (account: DemoAccount) => sql`select delete_project(${account.projectId}::uuid)`],
  ['site', (account: DemoAccount) => sql`select delete_site(${account.siteId}::uuid)`],
])('a deleted %s is made anew', async (_, remove) => {
  const before = await ensureDemoAccount(sql);
  await remove(before);
  const after = await ensureDemoAccount(sql, before);
  expect(after.siteId).not.toBe(before.siteId);
  expect(await ensureDemoAccount(sql, after)).toEqual(after);
});

test.each([
  ['of another database', createToken('vapi', (bytes) => crypto.getRandomValues(bytes))],
  ['that is none', 'vapi_nonsense'],
])('a token %s is not kept', async (_, token) => {
  expect((await ensureDemoAccount(sql, { apiToken: token })).apiToken).not.toBe(token);
});
