/** Reports by mail, from the morning on which they are due to the mailbox. */
import { expect, test } from 'vitest';
import { createTenant } from '../../security/tenant.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import { newBrowser } from '../account/browser.ts';

const stack = useOwnStack();

async function openSite(timezone = 'UTC') {
  const owner = await createTenant(stack().sql);
  await stack().sql`update sites set timezone = ${timezone} where id = ${owner.siteId}`;
  const browser = newBrowser(stack(), owner.cookie);
  const path = `/api/v1/sites/${owner.siteId}/mail-reports`;
  return { ...owner, browser, path, email: `${crypto.randomUUID()}@example.com` };
}
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
const mailsTo = (email: string) => stack().mail.sent.filter(({ to }) => to === email);
const linkIn = (text: string, use: string): string =>
  new RegExp(`${stack().baseUrl}(/messages/${use}/\\S+)`).exec(text)?.[1] ?? '';

test('a recipient confirms once by a button, gets the report once, and ends it with one click', async () => {
  const { siteId, browser, path, email } = await openSite();
  const { data } = await browser.json('POST', path, { every: 'day', recipients: [email] });
  expect(data.recipients).toMatchObject([{ address: email, state: 'waiting' }]);
  expect(data.lastAt).toBeNull();
  const due = () =>
    stack().sql`update mail_reports set next_at = now() - interval '1 minute' where site_id = ${siteId}`;
  await due();
  await run();
  // Nothing but the question.
  const [question, ...others] = mailsTo(email);
  expect(others).toEqual([]);
  expect(question?.headers).toBeUndefined();
  const confirm = linkIn(question?.text ?? '', 'confirm');
  const state = async () => (await browser.json('GET', path)).data[0].recipients[0].state;
  const page = await stack().fetch(confirm);
  expect([page.status, await state()]).toEqual([200, 'waiting']);
  expect(await page.text()).toContain('<form method="post">');
  expect((await stack().fetch(confirm, { method: 'POST' })).status).toBe(200);
  expect(await state()).toBe('confirmed');

  await due();
  await run();
  await run();
  const [, report, ...more] = mailsTo(email);
  expect(more).toEqual([]);
  const [{ lastAt }] = (await browser.json('GET', path)).data;
  expect(Date.now() - Date.parse(lastAt)).toBeLessThan(60_000);
  expect(report?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' });
  const [, unsubscribe = ''] = /^<(.*)>$/.exec(report?.headers?.['List-Unsubscribe'] ?? '') ?? [];
  const ends = unsubscribe.slice(stack().baseUrl.length);
  expect(linkIn(report?.text ?? '', 'unsubscribe-report')).toBe(ends);
  expect(report?.html).not.toMatch(/<img|<script|<link|url\(|src=/i);
  // A scanner that follows the link changes nothing.
  expect((await stack().fetch(ends)).status).toBe(200);
  expect(await state()).toBe('confirmed');
  const oneClick = await stack().fetch(ends, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect([oneClick.status, await state()]).toEqual([200, 'ended']);
  await stack().sql`update outbox set dedupe = dedupe || ' before'`;
  await due();
  await run();
  expect(mailsTo(email)).toHaveLength(2);
});

test('a forged link is nothing', async () => {
  const { browser, path, email } = await openSite();
  const { data } = await browser.json('POST', path, { every: 'day', recipients: [email] });
  const [{ channelId }] = data.recipients;
  for (const use of ['confirm', 'unsubscribe'])
    for (const method of ['GET', 'POST'])
      expect(
        (await stack().fetch(`/messages/${use}/${channelId}/${'A'.repeat(43)}`, { method })).status,
      ).toBe(404);
});

const nextOf = async (instant: string, zone: string, every: string, weekday = 1): Promise<string> => {
  const [row] = await stack().sql`
    select json_instant(next_mail_report(${instant}::timestamptz, ${zone}, ${every}, ${weekday}::integer)) as next`;
  return row?.next;
};

test.each([
  // Lisbon goes from UTC+0 to UTC+1 on 29 March 2026, and back on 25 October.
  ['2026-03-28T07:59:00Z', 'Europe/Lisbon', 'day', '2026-03-28T08:00:00.000Z'],
  ['2026-03-28T08:00:00Z', 'Europe/Lisbon', 'day', '2026-03-29T07:00:00.000Z'],
  ['2026-03-29T07:00:00Z', 'Europe/Lisbon', 'day', '2026-03-30T07:00:00.000Z'],
  ['2026-10-24T07:00:00Z', 'Europe/Lisbon', 'day', '2026-10-25T08:00:00.000Z'],
  ['2026-10-25T07:30:00Z', 'Europe/Lisbon', 'day', '2026-10-25T08:00:00.000Z'],
  ['2026-11-24T12:00:00Z', 'America/New_York', 'week', '2026-11-30T13:00:00.000Z'],
  ['2026-11-24T12:00:00Z', 'Pacific/Kiritimati', 'day', '2026-11-24T18:00:00.000Z'],
  ['2026-01-31T12:00:00Z', 'UTC', 'month', '2026-02-01T08:00:00.000Z'],
  ['2026-02-01T08:00:00Z', 'UTC', 'month', '2026-03-01T08:00:00.000Z'],
  ['2026-12-01T08:00:00Z', 'Asia/Kathmandu', 'month', '2027-01-01T02:15:00.000Z'],
])('after %s in %s each %s: %s', async (instant, zone, every, next) => {
  expect(await nextOf(instant, zone, every)).toBe(next);
});

test('late rather than not at all: each morning that was missed is sent once, oldest first', async () => {
  const { sql } = stack();
  const { siteId, projectId, browser, path, email } = await openSite('Europe/Lisbon');
  await browser.json('POST', path, { every: 'day', recipients: [email] });
  await sql`update message_channels set confirmed_at = now() where project_id = ${projectId}`;
  await sql`update mail_reports set next_at = '2026-10-23T07:00:00Z' where site_id = ${siteId}`;
  for (let times = 0; times < 6; times++)
    await sql`select decide_mail_reports('2026-10-25T08:30:00Z'::timestamptz, 10)`;
  const rows = await sql`
    select payload ->> 'from' as first, payload ->> 'to' as last from outbox
    where project_id = ${projectId} and event = 'report.mail' order by dedupe`;
  expect(rows).toEqual(
    ['22', '23', '24'].map((day) => ({ first: `2026-10-${day}`, last: `2026-10-${day}` })),
  );
  const [report] =
    await sql`select json_instant(next_at) as next from mail_reports where site_id = ${siteId}`;
  expect(report?.next).toBe('2026-10-26T08:00:00.000Z');
});

test('a site that moves to another zone gets its report at 8:00 there', async () => {
  const { siteId, browser, path, email } = await openSite();
  await browser.json('POST', path, { every: 'month', recipients: [email] });
  await stack().sql`update sites set timezone = 'Asia/Tokyo' where id = ${siteId}`;
  const [report] = await stack().sql`
    select to_char(next_at at time zone 'Asia/Tokyo', 'DD HH24:MI') as at from mail_reports where site_id = ${siteId}`;
  expect(report?.at).toBe('01 08:00');
});

test('a report is gone with its site and its segment', async () => {
  const { siteId, browser, path, email } = await openSite();
  const { data: segment } = await browser.json('POST', `/api/v1/sites/${siteId}/segments`, {
    ...{ name: 'Iberia', filters: { country: 'PT|ES' }, shared: true },
  });
  const own = await browser.send('POST', path, {
    every: 'day',
    recipients: [email],
    segment: crypto.randomUUID(),
  });
  expect(own.status).toBe(400);
  await browser.json('POST', path, { every: 'day', recipients: [email], segment: segment.id });
  await browser.json('POST', path, { every: 'week', recipients: [email] });
  expect(
    (await browser.json('GET', path)).data.map((one: { segment: object | null }) => one.segment),
  ).toMatchObject([{ name: 'Iberia' }, null]);
  await browser.send('DELETE', `/api/v1/sites/${siteId}/segments/${segment.id}`);
  expect((await browser.json('GET', path)).data).toHaveLength(1);
  await browser.send('DELETE', `/api/v1/sites/${siteId}`);
  expect(await stack().sql`select id from mail_reports where site_id = ${siteId}`).toEqual([]);
});
