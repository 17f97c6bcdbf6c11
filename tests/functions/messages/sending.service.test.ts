/** Messages from the decision to the receiver, through the function and a real database. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import { newBrowser } from '../account/browser.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

const stack = useOwnStack({ vars: { LOOPBACK_RECEIVERS: 'allowed' } });
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Answers by the path: `/200`, `/500`, `/redirect`, `/long`. */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(({ path }) => {
    if (path.endsWith('/redirect'))
      return { status: 307, headers: { Location: `${receiver.url}/other/200` } };
    if (path.endsWith('/long')) return { status: 200, body: `${'é'.repeat(400)}\0${'x'.repeat(5000)}` };
    const status = Number(path.split('/').at(-1));
    return { status, ...(path.includes('/more') && { headers: { 'WebHook-Allowed-Origin': '*' } }) };
  });
});
afterAll(() => receiver.close());

const at = (path: string): Received[] => receiver.received.filter((got) => got.path === path);

async function openProject() {
  const owner = await createTenant(stack().sql);
  const browser = newBrowser(stack(), owner.cookie);
  const path = `/api/v1/projects/${owner.projectId}/channels`;
  return {
    ...owner,
    browser,
    path,
    /** A webhook at the receiver. `answer` is the last part of its path. */
    hook: async (answer: string, more: object = {}) => {
      const address = `/${crypto.randomUUID()}/${answer}`;
      const body = { kind: 'webhook', url: receiver.url + address, ...more };
      const { data } = await browser.json('POST', path, body);
      return { ...data, address };
    },
  };
}

const decide = (projectId: string, channels: string[] | null, event = 'alert.firing', data: object = {}) =>
  stack().sql`
    select send_message(${projectId}::uuid, ${channels}::uuid[], ${event}, ${JSON.stringify(data)}::jsonb, now(), ${crypto.randomUUID()})`;
/** Runs the cron, and waits for a sender that the queue woke meanwhile. */
const run = async () => {
  await stack().scheduled('messages', '* * * * *');
  await expect
    .poll(
      () => stack().sql`
        select id from outbox
        where state = 'waiting' and attempts > (select count(*) from message_deliveries where outbox_id = outbox.id)`,
    )
    .toEqual([]);
};
/** As if this time had passed for the messages of a project: all its times are moved back. */
const pass = async (projectId: string, interval: string) => {
  await stack()
    .sql`update outbox set due_at = due_at - ${interval}::interval where project_id = ${projectId}`;
  await stack().sql`
    update message_channels set failing_since = failing_since - ${interval}::interval,
      old_secret_until = old_secret_until - ${interval}::interval where project_id = ${projectId}`;
};
/** A page view by the tracker's route. */
const view = async (siteId: string) => {
  const event = { id: crypto.randomUUID(), type: 'pageview', pageId: crypto.randomUUID() };
  const { status } = await stack().fetch('/api/v1/track', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX },
    body: JSON.stringify({ site: siteId, events: [{ ...event, url: 'https://shop.example/lamps' }] }),
  });
  expect(status).toBe(202);
};
const rowsOf = (projectId: string) =>
  stack()
    .sql`select event, state, attempts, due_at from outbox where project_id = ${projectId} order by decided_at`;

test('a webhook gets what the official library verifies, with the id of its row', async () => {
  const { projectId, hook } = await openProject();
  const { id, secret, address } = await hook('200');
  const data = { alert: { id, name: 'Spike' }, value: 12 };
  await decide(projectId, [id], 'alert.firing', data);
  await run();
  const [got] = at(address);
  const verified = new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'alert.firing', data });
  const [row] = await stack().sql`
    select id, state, decided_at from outbox where project_id = ${projectId}`;
  expect(row).toMatchObject({ id: got?.headers['webhook-id'], state: 'sent' });
  expect(verified).toMatchObject({ timestamp: row?.decided_at.toISOString() });
  await run();
  expect(at(address)).toHaveLength(1);
});

test('while a secret is rotated both are valid, and after a day only the new one', async () => {
  const { projectId, browser, path, hook } = await openProject();
  const { id, secret, address } = await hook('200');
  const { data: rotated } = await browser.json('POST', `${path}/${id}/secret`, {});
  const verifies = (key: string, got: Received | undefined) => {
    try {
      new Webhook(key).verify(got?.body ?? '', got?.headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  await decide(projectId, [id]);
  await run();
  expect([secret, rotated.secret].map((key) => verifies(key, at(address)[0]))).toEqual([true, true]);
  await pass(projectId, '25 hours');
  await decide(projectId, [id]);
  await run();
  expect([secret, rotated.secret].map((key) => verifies(key, at(address)[1]))).toEqual([false, true]);
});

test('what isn’t accepted is tried again after the pauses of Standard Webhooks, with the same id', async () => {
  const { projectId, hook } = await openProject();
  const { id, address } = await hook('500');
  await decide(projectId, [id]);
  const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  for (const [index, seconds] of pauses.entries()) {
    await run();
    const [row] = await stack().sql`
      select state, attempts, extract(epoch from due_at - (
          select max(at + make_interval(secs => duration_ms / 1000.0)) from message_deliveries d where d.project_id = o.project_id))::float as wait
      from outbox o where project_id = ${projectId} and event = 'alert.firing'`;
    expect([row?.state, row?.attempts]).toEqual(['waiting', index + 1]);
    expect(row?.wait).toBeGreaterThanOrEqual(seconds * 0.99);
    expect(row?.wait).toBeLessThan(seconds * 1.2 + 5);
    // The channel isn't paused: its failures are all of this moment.
    await stack()
      .sql`update outbox set due_at = now() - interval '1 second' where project_id = ${projectId} and due_at is not null`;
  }
  await run();
  expect(await rowsOf(projectId)).toMatchObject([{ state: 'failed', attempts: 10, due_at: null }]);
  expect(at(address)).toHaveLength(10);
  expect(new Set(at(address).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a redirect is a failure, and isn’t followed; the first 1,024 bytes of an answer are kept', async () => {
  const { projectId, browser, path, hook } = await openProject();
  const redirect = await hook('redirect');
  const long = await hook('long');
  await decide(projectId, [redirect.id, long.id]);
  await run();
  expect(at('/other/200')).toEqual([]);
  const listed = async (id: string) => (await browser.json('GET', `${path}/${id}/deliveries`)).data;
  expect(await listed(redirect.id)).toMatchObject([{ status: 307, event: 'alert.firing', state: 'waiting' }]);
  const [kept] = await listed(long.id);
  expect(kept.answer).toBe(`${'é'.repeat(400)}\uFFFD${'x'.repeat(223)}`);
  expect(kept).toMatchObject({ status: 200, fault: null, state: 'sent', attempt: 1 });
});

test('a delivery is sent again with the same id', async () => {
  const { projectId, browser, path, hook } = await openProject();
  const { id, address } = await hook('200');
  await decide(projectId, [id]);
  await run();
  const { data: before } = await browser.json('GET', `${path}/${id}/deliveries`);
  const again = await browser.send('POST', `${path}/${id}/deliveries/${before[0].id}/resend`, {});
  expect(again.status).toBe(202);
  await run();
  expect(at(address)).toHaveLength(2);
  expect(at(address)[0]?.headers['webhook-id']).toBe(at(address)[1]?.headers['webhook-id']);
  const { data: after } = await browser.json('GET', `${path}/${id}/deliveries`);
  expect(after.map(({ attempt }: { attempt: number }) => attempt)).toEqual([2, 1]);
});

test('after three days of failures a channel is paused, and the admins and other channels get a message', async () => {
  const { projectId, email, browser, path, hook, userId } = await openProject();
  await stack().sql`update users set email_verified = true where id = ${userId}`;
  const failing = await hook('500');
  const watching = await hook('200', { events: ['channel.paused'] });
  await decide(projectId, [failing.id]);
  await run();
  expect((await browser.json('GET', `${path}/${failing.id}`)).data.failingSince).not.toBeNull();
  await pass(projectId, '73 hours');
  await run();
  expect((await browser.json('GET', `${path}/${failing.id}`)).data).toMatchObject({
    pauseReason: 'failures',
  });
  await run();
  expect(at(watching.address).map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'channel.paused', data: { channel: { id: failing.id }, reason: 'failures' } },
  ]);
  const mails = stack().mail.sent.filter(({ to }) => to === email);
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('is paused')]);
  await decide(projectId, [failing.id]);
  await pass(projectId, '3 days');
  await run();
  expect(at(failing.address)).toHaveLength(2);
  const resumed = await browser.json('PATCH', `${path}/${failing.id}`, { paused: false });
  expect(resumed.data).toMatchObject({ pausedAt: null, failingSince: null });
});

test('a receiver that answers 410 is paused at once', async () => {
  const { projectId, browser, path, hook } = await openProject();
  const { id, address } = await hook('410');
  await decide(projectId, [id]);
  await run();
  expect((await browser.json('GET', `${path}/${id}`)).data).toMatchObject({ pauseReason: 'gone' });
  expect(await rowsOf(projectId)).toMatchObject([{ state: 'failed' }, { event: 'channel.paused' }]);
  expect(at(address)).toHaveLength(1);
});

test('a chat gets Slack’s payload; alerts that are decided together are one message', async () => {
  const { projectId, browser, path } = await openProject();
  const address = `/${crypto.randomUUID()}/200`;
  const { data } = await browser.json('POST', path, { kind: 'slack', url: receiver.url + address });
  const alert = (name: string) => ({
    alert: { id: data.id, name },
    project: { id: projectId, name: 'P' },
    ...{
      metric: 'visits',
      compare: 'above',
      threshold: 100,
      forMinutes: 5,
      value: 412,
      since: '2026-11-21T09:00:00.000Z',
    },
    path: '/sites',
    changed: [{ dimension: 'source', value: 'Reddit', change: 412 }],
  });
  // In one statement: a sender that the queue wakes could send the first one before the second is there.
  const alerts = [alert('Spike <!channel>'), alert('Second')].map((one) => JSON.stringify(one));
  await stack().sql`
    select send_message(${projectId}::uuid, array[${data.id}]::uuid[], 'alert.firing', alert::jsonb, now(), gen_random_uuid()::text)
    from unnest(${alerts}::text[]) alert`;
  await run();
  const [got, ...others] = at(address);
  expect(others).toEqual([]);
  const { text } = JSON.parse(got?.body ?? '{}');
  expect(text).toContain('*Alert: Spike &lt;!channel&gt;, P*');
  expect(text).toContain('*Alert: Second, P*');
  expect(text).toContain('Reddit +412');
  expect(text).toContain(`${stack().baseUrl}/sites`);
  expect((await rowsOf(projectId)).map(({ state }) => state)).toEqual(['sent', 'sent']);
});

test('at most 60 messages an hour go to one host over all projects, unless the receiver takes more', async () => {
  const projects = await Promise.all([openProject(), openProject()]);
  // Retries of other tests go to the same host, and would count.
  await stack().sql`delete from outbox where state = 'waiting'`;
  await stack().sql`delete from message_counts`;
  const addresses: string[] = [];
  const countSent = () => addresses.flatMap(at).length;
  for (const { projectId, hook } of projects) {
    const { id, address } = await hook('200');
    addresses.push(address);
    await stack().sql`
      select send_message(${projectId}::uuid, array[${id}]::uuid[], 'alert.firing', '{}', now(), n::text)
      from generate_series(1, 40) n`;
  }
  await run();
  expect(countSent()).toBe(60);
  const waiting = await stack().sql`
    select count(*)::integer as rows, min(due_at) > now() + interval '55 minutes' as late, max(attempts) as attempts
    from outbox where project_id = any (${projects.map(({ projectId }) => projectId)}) and state = 'waiting'`;
  expect(waiting).toEqual([{ rows: 20, late: true, attempts: 0 }]);
  await stack()
    .sql`update message_counts set sent_at = array(select at - interval '61 minutes' from unnest(sent_at) at)`;
  for (const { projectId } of projects) await pass(projectId, '1 hour');
  await run();
  expect(countSent()).toBe(80);

  const { projectId, hook } = await openProject();
  const { id, address } = await hook('more/200');
  await decide(projectId, [id]);
  await run();
  await stack().sql`
    select send_message(${projectId}::uuid, array[${id}]::uuid[], 'outcome.confirmed', '{}', now(), n::text)
    from generate_series(1, 100) n`;
  await run();
  expect(at(address)).toHaveLength(101);
});

test('what the service decides by itself reaches a webhook as its schema says', async () => {
  await stack().sql`delete from message_counts`;
  const { projectId, siteId, hook, browser } = await openProject();
  const { address } = await hook('more/200', {
    events: ['site.first_visit', 'import.finished', 'outcome.confirmed'],
  });
  const events = (
    await stack()
      .fetch('/api/v1/webhook-events')
      .then((answer) => answer.json())
  ).data as {
    type: string;
    schema: { properties: { data: { required: string[] } } };
  }[];
  const { key } = await addIngestKey(stack().sql, projectId);
  const outcome = {
    ...{
      source: 'shop',
      domainEventId: 'order-1',
      type: 'order.paid',
      occurredAt: '2026-11-21T09:00:00.000Z',
    },
    ...{
      value: { amount: '12.50', currency: 'EUR' },
      sessionId: 'a-visitors-session',
      attributes: { email: 'ada@example.com' },
    },
  };
  const confirm = () =>
    stack().fetch('/api/v1/telemetry/outcomes', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(outcome),
    });
  expect([(await confirm()).status, (await confirm()).status]).toEqual([201, 200]);
  await stack().sql`update sites set domain = 'shop.example' where id = ${siteId}`;
  await view(siteId);
  await expect
    .poll(
      () => stack().sql`select 1 from outbox where event = 'site.first_visit' and project_id = ${projectId}`,
    )
    .toHaveLength(1);
  await view(siteId);
  const imports = `/api/v1/sites/${siteId}/imports`;
  const begun = await browser.json('POST', imports, {
    ...{ source: 'plausible', dimensions: [], contentHash: '0'.repeat(64) },
  });
  const days = [['2026-01-31', 5, 6, 7]];
  const piece = await browser.send('POST', `${imports}/${begun.data.id}/pieces`, { number: 1, days });
  expect(piece.status).toBe(204);
  for (let times = 0; times < 2; times++)
    await browser.json('POST', `${imports}/${begun.data.id}/finish`, { pieces: 1 });
  await run();
  const got = at(address).map(({ body }) => JSON.parse(body));
  expect(got.map(({ type }) => type).toSorted()).toEqual([
    ...['import.finished', 'outcome.confirmed', 'site.first_visit'],
  ]);
  expect(got.find(({ type }) => type === 'import.finished')?.data).toMatchObject({
    ...{ import: { source: 'plausible' }, from: '2026-01-31', to: '2026-01-31' },
  });
  for (const { type, data } of got) {
    const form = events.find((event) => event.type === type);
    for (const field of form?.schema.properties.data.required ?? ['missing'])
      expect(data).toHaveProperty(field);
  }
  const stored = JSON.stringify(
    await stack().sql`select payload from outbox where project_id = ${projectId}`,
  );
  for (const secret of ['a-visitors-session', 'ada@example.com']) expect(stored).not.toContain(secret);
});
