/** A spike of visits reaches a mailbox and a webhook: from the page views to the message, through every function. */
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { evaluateAlerts } from '../../../lib/alerts/evaluate-alerts.ts';
import { connectDatabase } from '../../../lib/db.ts';
import { createTenant } from '../../security/tenant.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import { newBrowser } from '../account/browser.ts';
import { startReceiver } from './receiver.ts';

const stack = useOwnStack({ vars: { LOOPBACK_RECEIVERS: 'allowed' } });
const MINUTE_MS = 60_000;
const VISITS = 40;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Resolves in the first half of a minute, so that a spike is in one minute. */
async function firstHalf(): Promise<void> {
  const into = Date.now() % MINUTE_MS;
  if (into > MINUTE_MS / 2) await wait(MINUTE_MS - into);
}

test('a spike is in a mailbox and at a webhook once, with what changed, and is over once', async () => {
  const { sql, neon } = stack();
  const receiver = await startReceiver(() => ({ status: 200 }));
  const owner = await createTenant(sql);
  await sql`update sites set domain = 'shop.example' where id = ${owner.siteId}`;
  const browser = newBrowser(stack(), owner.cookie);
  const channels = `/api/v1/projects/${owner.projectId}/channels`;
  const email = `${crypto.randomUUID()}@example.com`;
  const send = () => stack().scheduled('messages', '* * * * *');
  const mails = () => stack().mail.sent.filter(({ to }) => to === email);

  const hook = (await browser.json('POST', channels, { kind: 'webhook', url: `${receiver.url}/hook` })).data;
  const mail = (await browser.json('POST', channels, { kind: 'mail', address: email })).data;
  await send();
  await expect.poll(() => mails().length).toBe(1);
  expect(mails()[0]?.text).toContain(`${owner.email} wants to send messages`);
  const [, confirm = ''] =
    new RegExp(`${stack().baseUrl}(/messages/confirm/\\S+)`).exec(mails()[0]?.text ?? '') ?? [];
  expect((await stack().fetch(confirm, { method: 'POST' })).status).toBe(200);

  await firstHalf();
  const { data: alert } = await browser.json('POST', `/api/v1/sites/${owner.siteId}/alerts`, {
    ...{ name: 'Many visits', metric: 'visits', compare: 'above', threshold: VISITS / 2, forMinutes: 1 },
    channels: [hook.id, mail.id],
  });
  const spikeAt = Date.now();
  for (let n = 0; n < VISITS; n += 1) {
    const body = {
      site: owner.siteId,
      events: [
        {
          ...{ id: crypto.randomUUID(), type: 'pageview', pageId: crypto.randomUUID() },
          ...{ url: `https://shop.example/lamps`, referrer: 'https://www.reddit.com/r/lamps' },
        },
      ],
    };
    const { status } = await stack().fetch('/api/v1/track', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX },
      body: JSON.stringify(body),
    });
    expect(status).toBe(202);
  }
  const stored = () =>
    sql`select count(*)::int as visits from visits where site_key = (select key from sites where id = ${owner.siteId})`;
  await expect.poll(async () => (await stored())[0]?.visits, { timeout: 20_000 }).toBe(VISITS);
  const minute = Math.floor(spikeAt / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  await wait(Math.max(0, minute + 100 - Date.now()));
  await stack().scheduled('alerts', '* * * * *');
  await send();
  await expect.poll(() => [receiver.received.length, mails().length], { timeout: 20_000 }).toEqual([1, 2]);
  expect(Date.now() - spikeAt).toBeLessThan(2 * MINUTE_MS);

  const [got] = receiver.received;
  const verified = new Webhook(hook.secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
  expect(verified).toMatchObject({
    type: 'alert.firing',
    data: {
      ...{ alert: { id: alert.id, name: 'Many visits' }, metric: 'visits', value: VISITS },
      changed: expect.arrayContaining([{ dimension: 'source', value: 'Reddit', change: VISITS }]),
    },
  });
  expect(mails()[1]?.text).toContain(`Reddit +${VISITS}`);

  // The minutes after the spike, by a clock that is ahead of this one.
  const role = connectDatabase({ url: neon.urlOf('vendor_alerts'), endpoint: neon.endpoint });
  for (let n = 1; n <= 10; n += 1)
    await evaluateAlerts({ sql: role, now: () => minute + n * MINUTE_MS + 1000 });
  await sql`update outbox set due_at = now() where project_id = ${owner.projectId} and state = 'waiting'`;
  await send();
  await expect.poll(() => [receiver.received.length, mails().length], { timeout: 20_000 }).toEqual([2, 3]);
  expect(JSON.parse(receiver.received[1]?.body ?? '').type).toBe('alert.over');
  const { data: history } = await browser.json(
    'GET',
    `/api/v1/sites/${owner.siteId}/alerts/${alert.id}/history`,
  );
  expect(history.flatMap(({ message }: { message: string | null }) => message ?? [])).toEqual([
    'over',
    'firing',
  ]);
  await receiver.close();
}, 180_000);
