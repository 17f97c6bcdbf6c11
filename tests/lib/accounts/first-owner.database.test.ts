import { expect, test } from 'vitest';
import { createFirstOwnerLink, isFirstOwnerToken } from '../../../lib/accounts/auth/first-owner.ts';
import { signUp } from '../../../lib/accounts/auth/sign-up.ts';
import { createAccount } from '../../../lib/accounts/create-account.ts';
import { DomainError } from '../../../lib/errors.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

const AUTH_KEY = 'k'.repeat(32);
const PASSWORD = 'correct horse battery';
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 24, 9);

const contextAt = (now: number, authKey = AUTH_KEY) => ({
  ...{ sql: database().sql, now: () => now, authKey, isSignUpOpen: false },
  publicUrl: 'https://stats.example.com',
});
const tokenOf = (link: string | undefined): string => link?.split('#first-owner=')[1] ?? '';

test('the link is good for a day, by the same key, and unchanged', async () => {
  const link = await createFirstOwnerLink(contextAt(NOW));
  expect(link).toMatch(/^https:\/\/stats\.example\.com\/sign-in\?to=\/sites#first-owner=\d{10}\.[\w-]{43}$/);
  const token = tokenOf(link);
  const [expiresAt, mac] = token.split('.');
  const isGood = (given: string, now = NOW, key = AUTH_KEY) => isFirstOwnerToken(contextAt(now, key), given);
  expect(await isGood(token, NOW + DAY_MS)).toBe(true);
  expect(await isGood(token, NOW + DAY_MS + 1000)).toBe(false);
  expect(await isGood(token, NOW, 'K'.repeat(32))).toBe(false);
  expect(await isGood(`${Number(expiresAt) + 1}.${mac}`)).toBe(false);
  for (const wrong of ['', expiresAt, mac, `${expiresAt}.`, `${token}A`, `0${token}`, token.slice(0, -1)])
    expect([wrong, await isGood(String(wrong))]).toEqual([wrong, false]);
});

test('of many who use the link at once one becomes the owner, of projects that were there too', async () => {
  const { sql } = database();
  const demo = await createAccount(
    { sql },
    { email: 'demo@example.com', name: 'Demo', emailConfirmed: true },
  );
  const ctx = contextAt(Date.now());
  const firstOwner = tokenOf(await createFirstOwnerLink(ctx));
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) =>
      signUp(ctx, { email: `owner${n}@example.com`, password: PASSWORD, firstOwner }),
    ),
  );
  expect(tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toEqual([
    { emailConfirmed: true },
  ]);
  const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', message: /has an owner already/ });
  }
  expect(refusals).toHaveLength(5);
  const owners = await sql`
    select users.email, users.email_verified as confirmed, count(*)::int as projects,
      bool_or(project_members.project_id = ${demo.projectId}) as "ownsDemo"
    from users join user_credentials on user_credentials.user_id = users.id
    join project_members on project_members.user_id = users.id and role = 'owner'
    group by users.id`;
  expect(owners).toEqual([
    { email: expect.stringMatching(/^owner\d@/), confirmed: true, projects: 2, ownsDemo: true },
  ]);
  // Nobody gets another link now, and one from before opens nothing.
  expect(await createFirstOwnerLink(ctx)).toBeUndefined();
  await expect(
    signUp(ctx, { email: 'late@example.com', password: PASSWORD, firstOwner }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
