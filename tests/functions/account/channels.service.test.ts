/** Channels through their routes, and the function by which messages are decided. */
import { expect, test } from 'vitest';
import { addMember, createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser } from './browser.ts';

const stack = useStack();

async function openProject() {
  const owner = await createTenant(stack().sql);
  const browser = newBrowser(stack(), owner.cookie);
  const path = `/api/v1/projects/${owner.projectId}/channels`;
  const make = async (body: object) => (await browser.json('POST', path, body)).data;
  return { ...owner, browser, path, make };
}
const webhook = (more: object = {}) => ({
  kind: 'webhook',
  url: `https://${crypto.randomUUID()}.example.com/hook`,
  ...more,
});

const send = async (
  projectId: string,
  channels: string[] | null,
  event: string,
  dedupe: string = crypto.randomUUID(),
  payload: object = {},
): Promise<number> => {
  const [row] = await stack().sql`
    select send_message(${projectId}::uuid, ${channels}::uuid[], ${event}, ${JSON.stringify(payload)}::jsonb, now(), ${dedupe}) as rows`;
  return row?.rows;
};

test('a webhook’s secret is shown once and has the form of Standard Webhooks; a rotation gives another', async () => {
  const { browser, path, make } = await openProject();
  const made = await make(webhook());
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const listed = JSON.stringify([
    await browser.json('GET', path),
    await browser.json('GET', `${path}/${made.id}`),
  ]);
  expect(listed).toContain(made.url);
  expect(listed).not.toContain(made.secret);
  const rotated = (await browser.json('POST', `${path}/${made.id}/secret`, {})).data;
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(made.secret);
  const [stored] = await stack().sql`
    select to_jsonb(channel)::text as row from message_channels channel where id = ${made.id}`;
  for (const secret of [made.secret, rotated.secret])
    expect(stored?.row).not.toContain(secret.slice('whsec_'.length));
});

test.each([
  [{ kind: 'webhook', url: 'http://example.com/' }, 'url'],
  [{ kind: 'webhook', url: 'https://127.1/' }, 'url'],
  [{ kind: 'webhook', url: 'https://169.254.169.254/latest' }, 'url'],
  [{ kind: 'slack', url: 'https://localhost/' }, 'url'],
  [{ kind: 'webhook', url: 'https://ada:secret@example.com/' }, 'url'],
  [{ kind: 'webhook', address: 'ada@example.com' }, 'address'],
  [{ kind: 'mail', url: 'https://example.com/' }, 'address'],
  [{ kind: 'mail', address: 'nobody' }, 'address'],
  [{ kind: 'webhook', url: 'https://example.com/', events: ['everything'] }, 'events.0'],
])('refused, naming the field: %j', async (body, field) => {
  const { browser, path } = await openProject();
  const response = await browser.send('POST', path, body);
  expect(response.status).toBe(400);
  expect(((await response.json()).details as { path: string }[]).map((detail) => detail.path)).toContain(
    field,
  );
});

test('a message has a row for each channel that wants it, and none for the paused and the unconfirmed', async () => {
  const { projectId, browser, path, make } = await openProject();
  const wants = await make(webhook({ events: ['alert.firing'] }));
  const other = await make(webhook({ events: ['alert.over'] }));
  const paused = await make(webhook({ events: ['alert.firing'] }));
  await browser.send('PATCH', `${path}/${paused.id}`, { paused: true });
  const mailbox = await make({
    kind: 'mail',
    address: `${crypto.randomUUID()}@example.com`,
    events: ['alert.firing'],
  });
  expect(mailbox.confirmedAt).toBeNull();
  expect(await send(projectId, null, 'alert.firing', 'first')).toBe(1);
  expect(await send(projectId, null, 'alert.firing', 'first')).toBe(0);
  expect(await send(projectId, [other.id, paused.id, mailbox.id], 'alert.firing', 'first')).toBe(1);
  const { projectId: foreign } = await openProject();
  expect(await send(foreign, [wants.id], 'alert.firing')).toBe(0);
  const rows = await stack().sql`
    select channel_id, event from outbox where project_id = ${projectId} order by event, channel_id`;
  expect(rows.filter(({ event }) => event === 'alert.firing').map(({ channel_id }) => channel_id)).toEqual(
    [wants.id, other.id].toSorted(),
  );
  // The recipient of the mail channel was asked, and nothing else.
  expect(rows.filter(({ event }) => event === 'channel.confirm')).toEqual([
    { channel_id: mailbox.id, event: 'channel.confirm' },
  ]);
});

test('the caller’s own confirmed address is confirmed at once', async () => {
  const { sql } = stack();
  const { userId, make } = await openProject();
  const [person] = await sql`update users set email_verified = true where id = ${userId} returning email`;
  expect((await make({ kind: 'mail', address: person?.email })).confirmedAt).not.toBeNull();
});

test('a test is a message; a paused channel refuses it; nobody asks a mailbox more than three times a day', async () => {
  const { browser, path, make } = await openProject();
  const { id } = await make(webhook());
  expect(await browser.json('POST', `${path}/${id}/test`, {})).toEqual({ data: { sent: 'test' } });
  await browser.send('PATCH', `${path}/${id}`, { paused: true });
  expect((await browser.send('POST', `${path}/${id}/test`, {})).status).toBe(409);
  const mailbox = await make({ kind: 'mail', address: `${crypto.randomUUID()}@example.com` });
  const again = async () => {
    const response = await browser.send('POST', `${path}/${mailbox.id}/test`, {});
    return [response.status, (await response.json()).data?.sent];
  };
  expect([await again(), await again(), await again()]).toEqual([
    [202, 'question'],
    [202, 'question'],
    [429, undefined],
  ]);
});

test('a message is gone with its channel, with its project, and with the site that it is about', async () => {
  const { sql } = stack();
  const { projectId, siteId, browser, path, make } = await openProject();
  const count = async () => {
    const [row] = await sql`select count(*)::integer as rows from outbox where project_id = ${projectId}`;
    return row?.rows;
  };
  const first = await make(webhook());
  const second = await make(webhook());
  for (const { id } of [first, second]) await send(projectId, [id], 'import.finished');
  await send(projectId, [second.id], 'site.first_visit', 'visit', { site: { id: siteId } });
  expect(await count()).toBe(3);
  await browser.send('DELETE', `${path}/${first.id}`);
  expect(await count()).toBe(2);
  expect((await browser.send('DELETE', `/api/v1/sites/${siteId}`)).status).toBe(204);
  expect(await count()).toBe(1);
  expect((await browser.send('DELETE', `/api/v1/projects/${projectId}`)).status).toBe(204);
  expect(await count()).toBe(0);
});

test('a project has at most 20 channels, and each address once', async () => {
  const { browser, path } = await openProject();
  const statuses: number[] = [];
  for (let n = 0; n < 21; n++) statuses.push((await browser.send('POST', path, webhook())).status);
  expect(statuses).toEqual([...new Array(20).fill(201), 409]);
  const { browser: other, path: otherPath } = await openProject();
  const same = webhook();
  expect((await other.send('POST', otherPath, same)).status).toBe(201);
  expect((await other.send('POST', otherPath, same)).status).toBe(409);
});

test('a viewer sees the host of a URL alone: who has the URL of a chat can write to it', async () => {
  const { projectId, path, make } = await openProject();
  const made = await make({ kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret' });
  const viewer = newBrowser(stack(), (await addMember(stack().sql, projectId, 'viewer')).cookie);
  const admin = newBrowser(stack(), (await addMember(stack().sql, projectId, 'admin')).cookie);
  for (const at of [path, `${path}/${made.id}`]) {
    const seen = JSON.stringify(await viewer.json('GET', at));
    expect(seen).toContain('https://hooks.slack.com/…');
    expect(seen).not.toContain('services');
    expect(JSON.stringify(await admin.json('GET', at))).toContain(made.url);
  }
});
