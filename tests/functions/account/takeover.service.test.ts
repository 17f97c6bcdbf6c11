/** Attacks on a project by a member who is removed, and by a thief whose victim sets a new password by mail. */
import { expect, test } from 'vitest';
import { addMember, createPerson, createTenant, type Person } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { mailedToken, newBrowser, signUp } from './browser.ts';

const stack = useStack();
const as = (person: Person) => newBrowser(stack(), person.cookie);

const join = async (url: string) => {
  const guest = as(await createPerson(stack().sql));
  return (await guest.send('POST', '/api/v1/account/invitations', { secret: url.split('#')[1] })).status;
};

/** Sets a new password by a mailed link, as the owner of the address. Returns the owner's browser. */
async function resetPassword(email: string) {
  const victim = newBrowser(stack());
  const password = 'the owner of the address';
  await victim.send('POST', '/api/auth/password/reset-request', { email });
  const token = mailedToken(stack(), email, 'reset-password');
  expect((await victim.send('POST', '/api/auth/password/reset', { token, password })).status).toBe(204);
  expect((await victim.send('POST', '/api/auth/sign-in', { email, password })).status).toBe(200);
  return victim;
}

test('an owner who invites in a loop while he is removed doesn’t come back', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const path = `/api/v1/projects/${owner.projectId}`;
  for (let round = 0; round < 5; round++) {
    const attacker = await addMember(sql, owner.projectId, 'owner');
    const browser = as(attacker);
    const inviting = Array.from({ length: 6 }, () =>
      browser.send('POST', `${path}/members`, { role: 'owner' }),
    );
    const removal = as(owner).send('DELETE', `${path}/members/${attacker.userId}`);
    const answers = await Promise.all(inviting);
    expect((await removal).status).toBe(204);
    for (const answer of answers.filter(({ status }) => status === 201)) {
      const { data } = await answer.json();
      const secret = data.url.split('#')[1];
      expect((await browser.send('POST', '/api/v1/account/invitations', { secret })).status).toBe(404);
    }
    expect((await browser.send('GET', path)).status).toBe(404);
  }
  expect(await as(owner).json('GET', `${path}/invitations`)).toEqual({ data: [] });
});

test('an invitation works only while its maker may give its role', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const admin = await addMember(sql, owner.projectId, 'owner');
  const path = `/api/v1/projects/${owner.projectId}`;
  const invite = async (role: string) => (await as(admin).json('POST', `${path}/members`, { role })).data.url;
  const [toOwn, toManage] = [await invite('owner'), await invite('admin')];
  // As if the invitations were made at the moment of the change.
  await sql`update project_members set role = 'admin' where user_id = ${admin.userId} and project_id = ${owner.projectId}`;
  expect([await join(toOwn), await join(toManage)]).toEqual([404, 201]);
});

test('a thief’s invitations end with a new password by mail, and with keys that are revoked', async () => {
  const { browser: thief, email } = await signUp(stack());
  const { data: projects } = await thief.json('GET', '/api/v1/projects');
  const path = `/api/v1/projects/${projects[0].id}`;
  const invite = async (browser: typeof thief) =>
    (await browser.json('POST', `${path}/members`, { role: 'owner' })).data.url;
  const stolen = await invite(thief);
  const victim = await resetPassword(email);
  expect(await join(stolen)).toBe(404);
  expect(await victim.json('GET', `${path}/invitations`)).toEqual({ data: [] });
  const { data: lines } = await victim.json('GET', `${path}/audit-log?action=member.uninvite`);
  expect(lines).toMatchObject([{ actor: { kind: 'mailedLink' }, tool: 'resetPassword' }]);

  const older = await invite(victim);
  const change = {
    currentPassword: 'the owner of the address',
    newPassword: 'another long one',
    revokeKeys: true,
  };
  expect((await victim.send('POST', '/api/auth/password', change)).status).toBe(204);
  expect(await join(older)).toBe(404);
});

test('shares and ingest keys say who made them, also after their maker is removed', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const admin = await addMember(sql, owner.projectId, 'admin');
  await sql`update users set name = 'Mallory' where id = ${admin.userId}`;
  const project = `/api/v1/projects/${owner.projectId}`;
  const shares = `/api/v1/sites/${owner.siteId}/shares`;
  const { data: environment } = await as(owner).json('POST', `${project}/environments`, { name: 'staging' });
  const keys = `/api/v1/telemetry/projects/${owner.projectId}/environments/${environment.id}/ingest-keys`;
  const made = { userId: admin.userId, name: 'Mallory', isMember: true };
  for (const path of [shares, keys])
    expect(await as(admin).json('POST', path, { name: 'Left behind' })).toMatchObject({
      data: { createdBy: made },
    });
  const byKey = await stack().fetch(shares, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'By a key' }),
  });
  expect(await byKey.json()).toMatchObject({ data: { createdBy: made } });

  const makersAt = async (path: string) =>
    (await as(owner).json('GET', path)).data.map(({ createdBy }: { createdBy: object | null }) => createdBy);
  expect((await as(owner).send('DELETE', `${project}/members/${admin.userId}`)).status).toBe(204);
  const gone = { ...made, isMember: false };
  expect([await makersAt(shares), await makersAt(keys)]).toEqual([[gone, gone], [gone]]);

  const { data: orphans } = await as(owner).json('GET', `${project}/orphans`);
  expect(orphans).toMatchObject([
    { kind: 'share', name: 'Left behind', createdBy: gone, siteId: owner.siteId },
    {
      kind: 'ingestKey',
      name: 'Left behind',
      createdBy: gone,
      environmentId: environment.id,
      environment: 'staging',
    },
    { kind: 'share', name: 'By a key', createdBy: gone, siteId: owner.siteId },
  ]);
  expect((await as(admin).send('GET', `${project}/orphans`)).status).toBe(404);
  expect((await as(owner).send('DELETE', `${keys}/${orphans[1].id}`)).status).toBe(204);
  await sql`update site_shares set expires_at = now() where id = ${orphans[2].id}`;
  await as(owner).json('POST', shares, { name: 'Of a member' });
  expect((await as(owner).json('GET', `${project}/orphans`)).data).toMatchObject([{ id: orphans[0].id }]);
  await sql`delete from site_shares where site_id = ${owner.siteId} and created_by = ${owner.userId}`;
  await sql`update ingest_keys set revoked_at = null where environment_id = ${environment.id}`;

  await sql`delete from users where id = ${admin.userId}`;
  await sql`update ingest_keys set created_by = null where environment_id = ${environment.id}`;
  expect([await makersAt(shares), await makersAt(keys)]).toEqual([[null, null], [null]]);
});
