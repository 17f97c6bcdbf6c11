/** Rounds of alerts on a real database, with time passed as an argument. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { useDatabase } from '../../services/database.ts';
import { alertSite, MINUTE_MS } from './alert-site.ts';

const database = useDatabase();
const NOON = Date.parse('2026-11-23T12:00:00.000Z');
const at = (minutes: number, seconds = 0) => NOON + minutes * MINUTE_MS + seconds * 1000;

test('a spike fires once, says what changed most, and is over once', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-120));
  const alert = await site.alert({ threshold: 20, forMinutes: 5 });
  await site.visit(at(-10), 3, { source: 'Google' });
  for (let minute = 0; minute < 3; minute++) await site.round(at(minute, 2));
  await site.visit(at(2, 30), 25, { source: 'Reddit', path: '/blog' });
  // Few visits could be one visitor's, whose erasure changes no message.
  await site.visit(at(2, 40), 4, { source: 'rare.example', path: '/rare' });
  for (let minute = 3; minute < 20; minute++) await site.round(at(minute, 2));

  expect(await site.history(alert)).toEqual([
    { at: '12:03', state: 'firing', message: 'firing', value: 29 },
    { at: '12:12', state: 'ok', message: 'over', value: 0 },
  ]);
  const messages = await site.messages();
  expect(messages.map(({ event }) => event)).toEqual(['alert.firing', 'alert.over']);
  expect(messages[0]?.payload).toMatchObject({
    alert: { id: alert, name: 'Alert' },
    site: { id: site.siteId, name: 'test' },
    metric: 'visits',
    compare: 'above',
    threshold: 20,
    value: 29,
    unit: 'count',
    since: '2026-11-23T12:03:00.000Z',
    path: `/sites/${site.siteId}?period=24h`,
    changed: expect.arrayContaining([
      { dimension: 'source', value: 'Reddit', change: 25 },
      { dimension: 'entry_page', value: '/blog', change: 25 },
    ]),
  });
  expect(JSON.stringify(messages)).not.toContain('rare');
  expect(messages[1]?.payload).toMatchObject({ since: '2026-11-23T12:03:00.000Z', value: 0 });
});

test('two rounds at once change a rule once', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-120));
  const alert = await site.alert({ threshold: 2 });
  await site.visit(at(-1), 5);
  const rounds = await Promise.all(Array.from({ length: 4 }, () => site.round(at(0, 1))));
  expect(rounds.reduce((sum, { changes }) => sum + changes, 0)).toBe(1);
  expect(await site.history(alert)).toHaveLength(1);
  expect(await site.messages()).toHaveLength(1);
});

test('missed rounds are made up for: what fired in between is known, in its minute', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-120));
  const alert = await site.alert({ threshold: 4, forMinutes: 1 });
  await site.visit(at(-60), 1);
  await site.round(at(0, 1));
  await site.visit(at(3, 10), 5);
  await site.round(at(11, 1));
  expect(await site.history(alert)).toEqual([
    { at: '12:04', state: 'firing', message: 'firing', value: 5 },
    { at: '12:09', state: 'ok', message: 'over', value: 0 },
  ]);
});

test('after a long pause only the present minute counts', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-120));
  const alert = await site.alert({ threshold: 4, forMinutes: 1 });
  await site.visit(at(-60), 1);
  await site.round(at(0, 1));
  await site.visit(at(3, 10), 5);
  await site.round(at(60, 1));
  expect(await site.history(alert)).toEqual([]);
});

test('no data isn’t zero', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-2));
  const below = await site.alert({ compare: 'below', threshold: 1, forMinutes: 5 });
  await site.round(at(0, 1));
  expect(await site.history(below)).toMatchObject([{ state: 'no_data', message: null, value: null }]);
  // A site that was visited before and isn't any more.
  await site.visit(at(-1), 1);
  await site.round(at(1, 1));
  expect(await site.history(below)).toHaveLength(1);
  await site.round(at(10, 1));
  expect((await site.history(below)).at(-1)).toMatchObject({ state: 'firing', message: 'firing', value: 0 });
});

test('nothing rises before four weeks are known', async () => {
  const { sql } = database();
  const week = 7 * 24 * 60;
  const [young, old] = [await alertSite(sql, at(-3 * week)), await alertSite(sql, at(-5 * week))];
  const rule = { compare: 'rose_by', threshold: 100, forMinutes: 60 };
  const alerts = [await young.alert(rule), await old.alert(rule)] as const;
  for (const [site, weeks] of [
    [young, 2],
    [old, 4],
  ] as const) {
    if (site === old) await site.visit(at(-5 * week + 10), 1);
    for (let n = weeks; n >= 1; n--) await site.visit(at(-n * week - 30), 10);
    await site.visit(at(-20), 21);
  }
  await young.round(at(0, 1));
  expect(await young.history(alerts[0])).toMatchObject([{ state: 'no_data', value: 21 }]);
  expect(await old.history(alerts[1])).toMatchObject([{ state: 'firing', message: 'firing', value: 21 }]);
  const [stored] = await sql`select baseline, reason from alert_rules where id = ${alerts[0]}`;
  expect(stored).toEqual({ baseline: null, reason: 'no_baseline' });
});

test('same hours are those of the site’s zone, also over a change of the clocks', async () => {
  const { sql } = database();
  // Berlin left summer time on 25 October: a week before Monday, 26 October, 12:00 UTC is 11:00 UTC.
  const monday = Date.parse('2026-10-26T12:00:00.000Z');
  const week = 7 * 24 * 60;
  const site = await alertSite(sql, monday - 5 * week * MINUTE_MS, 'Europe/Berlin');
  await site.visit(monday - 5 * week * MINUTE_MS + MINUTE_MS, 1);
  const alert = await site.alert({ compare: 'rose_by', threshold: 100, forMinutes: 30 });
  for (let n = 4; n >= 1; n--) await site.visit(monday - (n * week + 60 + 10) * MINUTE_MS, 10);
  await site.visit(monday - 10 * MINUTE_MS, 20);
  await site.round(monday + 1000);
  const [stored] = await sql`select value, baseline, state from alert_rules where id = ${alert}`;
  expect(stored).toEqual({ value: 20, baseline: 10, state: 'firing' });
});

test.each([
  ['pageviews', {}, 6],
  ['visits', { filters: { source: 'Reddit' } }, 4],
  ['visits', { filters: { source: '!Reddit' } }, 2],
  ['visits', { filters: { source: '~red|xyz' } }, 4],
  ['visits', { filters: { entry_page: '/blog' } }, 4],
  ['visits', { filters: { privacy_tier: 2 } }, 0],
  ['events', { event: 'purchase' }, 4],
  ['events', { event: 'signup' }, 0],
  ['events', {}, 4],
  ['revenue', { currency: 'EUR' }, 50],
  ['revenue', { currency: 'USD' }, 0],
  ['conversions', { goal: true }, 4],
  ['conversion_rate', { goal: true }, 66.667],
  ['visitors_now', { forMinutes: 1 }, 6],
  ['dropped', {}, 0],
])('%s of %j is %d', async (metric, { goal, ...more }: Record<string, unknown>, value) => {
  const { sql } = database();
  const site = await alertSite(sql, at(-120));
  const [{ id: goalId }] = (await sql`
    insert into site_goals (site_id, name, kind, pattern) values (${site.siteId}, 'buy', 2, 'purchase') returning id`) as [
    { id: string },
  ];
  await sql`update site_watches set goals = '{}'`;
  const alert = await site.alert({ metric, threshold: 1000, ...(goal === true && { goalId }), ...more });
  await site.visit(at(-2), 2);
  await site.visit(at(-2), 4, { source: 'Reddit', path: '/blog', event: 'purchase' });
  await site.round(at(0, 1));
  const [stored] = await sql`select value, state, reason from alert_rules where id = ${alert}`;
  expect(stored).toEqual({ value, state: 'ok', reason: null });
});

test('a rule that somebody changed meanwhile keeps the change', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-120));
  const alert = await site.alert({ threshold: 2 });
  await site.visit(at(-1), 5);
  await sql`update alert_rules set threshold = 100, revision = revision + 1 where id = ${alert}`;
  await site.round(at(0, 1));
  expect(await site.history(alert)).toEqual([]);
});

test('a rule with a metric of a later version is left alone, and stops no other', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-120));
  const later = await site.alert({ metric: 'of a later version' });
  const alert = await site.alert({ threshold: 2 });
  await site.visit(at(-1), 5);
  await site.round(at(0, 1));
  expect(await site.history(alert)).toHaveLength(1);
  const [left] = await sql`select state, evaluated_to from alert_rules where id = ${later}`;
  expect(left).toEqual({ state: 'ok', evaluated_to: null });
});

test('an erased visitor leaves no name in the history and in messages; those of other times stay', async () => {
  const { sql } = database();
  const site = await alertSite(sql, at(-12_000));
  const alert = await site.alert({ threshold: 4, forMinutes: 1440 });
  // One visitor comes six times in a day, so that the page is named.
  const visitor = randomUUID();
  const come = (instant: number) =>
    foldBatch(
      sql,
      [
        {
          ...{ version: 1, siteId: site.siteId, tier: 3, visitorId: visitor, continued: false },
          events: [
            {
              ...{ type: 'pageview', id: randomUUID(), at: instant, hostname: 'example.com' },
              ...{ path: '/of-one-visitor', entry: true, source: 'one.example', channel: 'Referral' },
            },
          ],
        },
      ],
      instant,
    );
  await site.visit(at(-8000), 6, { path: '/of-others' });
  await site.round(at(-7999, 1));
  await site.round(at(-6000, 1));
  await site.round(at(-5990, 1));
  for (let n = 6; n >= 1; n--) await come(at(-n * 60));
  await site.round(at(0, 1));
  const texts = async () =>
    JSON.stringify([
      await sql`select movers from alert_changes where alert_id = ${alert}`,
      await sql`select payload from outbox where project_id = ${site.projectId}`,
    ]);
  expect(await site.history(alert)).toMatchObject([
    { state: 'firing' },
    { state: 'ok' },
    { state: 'firing' },
  ]);
  for (const name of ['/of-one-visitor', 'one.example', '/of-others']) expect(await texts()).toContain(name);
  await sql`select delete_visitor(${site.siteId}::uuid, ${visitor}::uuid)`;
  const left = await texts();
  for (const name of ['/of-one-visitor', 'one.example', visitor]) expect(left).not.toContain(name);
  expect(left).toContain('/of-others');
});
