/** Projects, members, invitations and the audit log in the dashboard. */
import { expect, test } from 'vitest';
import { addPassword, PASSWORD } from '../../security/account-samples.ts';
import { addMember, createPerson, createTenant, type Person } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

async function send({ cookie }: Person, method: string, path: string, body?: object) {
  const response = await stack().fetch(`/api/v1/${path}`, {
    method,
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, data: text === '' ? undefined : JSON.parse(text).data };
}

const open = async (person: Person, path: string) => {
  const opened = await openDashboard(stack(), newContext, person, path);
  const part = (name: string) => opened.page.getByRole('region', { name, exact: true });
  return { ...opened, part, dialog: opened.page.getByRole('dialog') };
};

test('a role is changed, a member removed, ownership handed over; the last owner stays', async () => {
  const owner = await createTenant(stack().sql);
  const [first, second] = await Promise.all([
    addMember(stack().sql, owner.projectId, 'viewer'),
    addMember(stack().sql, owner.projectId, 'viewer'),
  ]);
  const path = `/settings/members?project=${owner.projectId}`;
  const { page, part, dialog, complaints } = await open(owner, path);
  const members = part('Test');
  const row = ({ email }: Person) => members.getByRole('listitem').filter({ hasText: email });
  const roles = async () => {
    const { data } = await send(owner, 'GET', `projects/${owner.projectId}/members`);
    return Object.fromEntries(
      data.map(({ userId, role }: { userId: string; role: string }) => [userId, role]),
    );
  };
  await row(owner).getByText('you', { exact: true }).waitFor();
  expect(await row(owner).getByRole('combobox').count()).toBe(0);
  expect(await row(owner).getByRole('button').count()).toBe(0);

  // The session is older than a proof may be.
  await addPassword(stack().sql, owner.userId);
  await stack().sql`
    update user_sessions set created_at = created_at - interval '1 hour' where user_id = ${owner.userId}`;
  await row(first).getByRole('combobox').selectOption('Owner');
  await dialog.getByText(`Make ${first.email} an owner?`).waitFor();
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await dialog.getByText('This is not your password.').waitFor();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await members.getByRole('status').getByText(`${first.email} is now Owner.`).waitFor();
  expect((await roles())[first.userId]).toBe('owner');
  await row(second)
    .getByRole('button', { name: `Remove ${second.email}` })
    .click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await row(second).waitFor({ state: 'detached' });
  expect(Object.keys(await roles())).toHaveLength(2);

  await row(owner).getByRole('combobox').selectOption('Viewer');
  await dialog.getByText('You give up rights of your own.').waitFor();
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await part('Open invitations').waitFor({ state: 'detached' });
  expect(await roles()).toEqual({ [owner.userId]: 'viewer', [first.userId]: 'owner' });
  await row(owner).getByRole('button', { name: 'Leave Test' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('You are in no project.').waitFor();
  expect((await send(owner, 'GET', 'projects')).data).toEqual([]);
  expect(complaints).toEqual([]);
});

test('an invitation is made, its link works, is made anew, and is revoked', async () => {
  const owner = await createTenant(stack().sql);
  const { part, dialog, complaints } = await open(owner, '/settings/members');
  const invitations = part('Open invitations');
  const link = invitations.getByRole('figure', { name: 'Link' }).locator('code');
  const preview = async (url: string) =>
    (await send(owner, 'POST', 'account/invitations/preview', { secret: url.split('#')[1] })).status;
  await invitations.getByText('No invitation is open.').waitFor();
  await invitations.getByRole('button', { name: 'Invite somebody' }).click();
  await dialog.getByRole('radio', { name: 'Admin' }).check();
  await dialog.getByLabel('E-mail address').fill('nobody');
  await dialog.getByRole('button', { name: 'Make the invitation' }).click();
  expect(
    await dialog
      .getByLabel('E-mail address')
      .evaluate((input: HTMLInputElement) => input.validity.typeMismatch),
  ).toBe(true);
  const guest = await createPerson(stack().sql);
  await dialog.getByLabel('E-mail address').fill(guest.email);
  await dialog.getByRole('button', { name: 'Make the invitation' }).click();
  await invitations.getByText(`on its way to ${guest.email}`).waitFor();
  const first = await link.innerText();
  expect(await preview(first)).toBe(200);
  expect(stack().mail.sent.filter(({ to }) => to === guest.email)).toHaveLength(1);
  expect((await send(owner, 'GET', `projects/${owner.projectId}/invitations`)).data).toMatchObject([
    { role: 'admin' },
  ]);

  await invitations.getByRole('button', { name: 'New link Admin' }).click();
  await dialog.getByRole('button', { name: 'New link' }).click();
  await invitations.getByText('Pass this link on.').waitFor();
  const another = await link.innerText();
  expect([await preview(first), await preview(another)]).toEqual([404, 200]);
  await invitations.getByRole('button', { name: 'Revoke Admin' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await invitations.getByText('No invitation is open.').waitFor();
  expect(await preview(another)).toBe(404);
  expect(complaints).toEqual([]);
});

test('an admin and a viewer see no control that the service would refuse', async () => {
  const owner = await createTenant(stack().sql);
  const { projectId } = owner;
  const [admin, viewer] = [
    await addMember(stack().sql, projectId, 'admin'),
    await addMember(stack().sql, projectId, 'viewer'),
  ];
  const path = `/settings/members?project=${projectId}`;
  const asAdmin = await open(admin, path);
  const row = (opened: typeof asAdmin, { email }: Person) =>
    opened.part('Test').getByRole('listitem').filter({ hasText: email });
  await row(asAdmin, viewer).getByRole('combobox').waitFor();
  expect(await row(asAdmin, owner).locator('button, select').count()).toBe(0);
  expect(await row(asAdmin, viewer).getByRole('option').allInnerTexts()).toEqual(['Admin', 'Viewer']);
  await asAdmin.part('Open invitations').getByRole('button', { name: 'Invite somebody' }).click();
  await expect.poll(() => asAdmin.dialog.getByRole('radio').count()).toBe(2);

  const asViewer = await open(viewer, path);
  await row(asViewer, viewer).getByRole('button', { name: 'Leave Test' }).waitFor();
  expect(await asViewer.page.locator('main section button').count()).toBe(1);
  await asViewer.go('/settings/projects');
  await asViewer.part('Test').getByText('3 members').waitFor();
  expect(await asViewer.part('Test').getByRole('button').count()).toBe(1);
  await asViewer.go(`/settings/audit?project=${projectId}`);
  await asViewer.page.getByText('Only owners and admins see the audit log').waitFor();
  await asViewer.go(`/settings/members?project=${crypto.randomUUID()}`);
  await asViewer.page.getByText('There is no such page').waitFor();
  expect([...asAdmin.complaints, ...asViewer.complaints]).toEqual([]);
});

test('a project is made, renamed, gets environments, and is deleted by its name', async () => {
  const owner = await createTenant(stack().sql);
  const { page, part, dialog, complaints } = await open(owner, '/settings/projects');
  await part('Test').waitFor();
  await page.getByRole('button', { name: 'New project' }).click();
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByRole('button', { name: 'Make the project' }).click();
  const second = part('Second');
  await second.getByRole('link', { name: /production/ }).waitFor();
  await expect.poll(() => second.getByRole('button', { name: 'Delete production' }).isDisabled()).toBe(true);
  const { data: projects } = await send(owner, 'GET', 'projects');
  const { id } = projects.find(({ name }: { name: string }) => name === 'Second');

  await second.getByRole('button', { name: 'New environment' }).click();
  await dialog.getByLabel('Environment').fill('Staging EU');
  await dialog.getByRole('button', { name: 'Make the environment' }).click();
  expect(
    await dialog
      .getByLabel('Environment')
      .evaluate((input: HTMLInputElement) => input.validity.patternMismatch),
  ).toBe(true);
  await dialog.getByLabel('Environment').fill('production');
  await dialog.getByRole('button', { name: 'Make the environment' }).click();
  await dialog.getByRole('alert').getByText('This name is taken.').waitFor();
  await dialog.getByLabel('Environment').fill('staging-eu');
  await dialog.getByRole('button', { name: 'Make the environment' }).click();
  await second.getByRole('button', { name: 'Change staging-eu' }).click();
  await dialog.getByLabel('Environment').fill('staging');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await second.getByRole('button', { name: 'Delete production' }).click();
  await dialog.getByLabel(/^Type/).fill('production');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { data: environments } = await send(owner, 'GET', `projects/${id}/environments`);
  expect(environments.map(({ name }: { name: string }) => name)).toEqual(['staging']);

  await second.getByRole('button', { name: 'Rename Second' }).click();
  await dialog.getByLabel('Name').fill('Third');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await part('Third').getByRole('button', { name: 'Delete the project Third' }).click();
  await dialog.getByLabel(/^Type/).fill('Second');
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete the project' }).isDisabled()).toBe(true);
  await dialog.getByLabel(/^Type/).fill('Third');
  await dialog.getByRole('button', { name: 'Delete the project' }).click();
  await part('Third').waitFor({ state: 'detached' });
  expect((await send(owner, 'GET', 'projects')).data).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test('the audit log shows what the API says, filtered and page by page', async () => {
  const owner = await createTenant(stack().sql);
  const admin = await addMember(stack().sql, owner.projectId, 'admin');
  const viewer = await addMember(stack().sql, owner.projectId, 'viewer');
  const goals = `sites/${owner.siteId}/analytics/goals`;
  await send(admin, 'POST', goals, { name: 'Signed up', event: 'signup' });
  await send(viewer, 'POST', goals, { name: 'Not mine', event: 'x' });
  for (let count = 0; count < 51; count += 1)
    await send(owner, 'POST', `projects/${owner.projectId}/members`, { role: 'viewer' });
  const log = `projects/${owner.projectId}/audit-log`;
  const { page, complaints } = await open(owner, `/settings/audit?project=${owner.projectId}`);
  const rows = page.locator('tbody tr');
  await rows.first().waitFor();
  const { data: newest } = await send(owner, 'GET', `${log}?limit=50`);
  expect(await rows.count()).toBe(newest.length);
  const { target } = newest[0];
  expect(target.id).toBeTruthy();
  expect(await rows.first().locator('.target').innerText()).toBe(target.name ?? target.id);
  expect(await rows.first().innerText()).toMatch(/Members: invite\s[\s\S]*\sinviteMember\s+Done/);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(53);

  await page.getByLabel('Action').selectOption('Goals');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(0).innerText()).toMatch(
    new RegExp(`${viewer.email}\\s+Goals: make\\s+Example\\s+createGoal\\s+Not allowed`),
  );
  await page.getByLabel('Who').selectOption(admin.email);
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.first().locator('.target').innerText()).toBe('Signed up Example');
  expect(new URL(page.url()).searchParams.get('person')).toBe(admin.userId);
  await page.getByLabel('Result').selectOption('refused or failed');
  await page.getByText('No line fits').waitFor();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('what a removed member made is listed to those who stay, each with a button to revoke it', async () => {
  const owner = await createTenant(stack().sql);
  const [admin, viewer] = [
    await addMember(stack().sql, owner.projectId, 'admin'),
    await addMember(stack().sql, owner.projectId, 'viewer'),
  ];
  const { data: environment } = await send(owner, 'POST', `projects/${owner.projectId}/environments`, {
    name: 'staging',
  });
  const keys = `telemetry/projects/${owner.projectId}/environments/${environment.id}/ingest-keys`;
  await send(admin, 'POST', `sites/${owner.siteId}/shares`, { name: 'For the board' });
  await send(admin, 'POST', keys, { name: 'Checkout server' });

  const path = `/settings/members?project=${owner.projectId}`;
  const { part, dialog, complaints } = await open(owner, path);
  const member = part('Test').getByRole('listitem').filter({ hasText: admin.email });
  await member.getByRole('button', { name: `Remove ${admin.email}` }).click();
  await dialog.getByText('this page lists them').waitFor();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  const left = part('Left behind');
  const entry = (name: string) => left.getByRole('listitem').filter({ hasText: name });
  await entry('For the board').getByText('no longer a member').waitFor();
  await entry('Checkout server').getByText('Ingest key of staging').waitFor();

  const watching = await open(viewer, path);
  await watching.part('Left behind').getByText('For the board').waitFor();
  expect(await watching.part('Left behind').getByRole('button').count()).toBe(0);

  for (const name of ['For the board', 'Checkout server']) {
    await entry(name)
      .getByRole('button', { name: `Revoke ${name}` })
      .click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await entry(name).waitFor({ state: 'detached' });
  }
  await left.waitFor({ state: 'detached' });
  expect((await send(owner, 'GET', `sites/${owner.siteId}/shares`)).data).toEqual([]);
  expect((await send(owner, 'GET', keys)).data).toEqual([]);
  expect([...complaints, ...watching.complaints]).toEqual([]);
});
