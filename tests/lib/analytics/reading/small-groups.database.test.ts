/** Withheld data stays withheld also in verbs that have no route of their own (docs/reports.md#what-filters-of-a-share-tell). */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { askReport } from '../../../../lib/analytics/ask-report.ts';
import { reportLive } from '../../../../lib/analytics/series/live.ts';
import { reportOverview } from '../../../../lib/analytics/series/overview.ts';
import type { ReportContext } from '../../../../lib/context.ts';
import { ExportReport, exportReport } from '../../../../lib/export/export-report.ts';
import { consented, NOW, pageview, useWorlds, type World } from '../reports-world.ts';

const createWorld = useWorlds();

async function sharedTo({ sql, siteId }: World, reports: string[]): Promise<ReportContext> {
  const [row] = await sql`
    insert into site_shares (site_id, name, hash, reports)
    values (${siteId}, 'All', uuid_send(gen_random_uuid()), ${reports}) returning id`;
  return { sql, now: () => Date.parse(NOW), actor: { kind: 'share', shareId: row?.id, siteId, reports } };
}

async function exported(ctx: ReportContext, siteId: string, asked: object): Promise<unknown> {
  const input = v.parse(ExportReport, { siteId, format: 'json', ...asked });
  const { text } = await exportReport(ctx, input);
  let file = '';
  for await (const part of text) file += part;
  return JSON.parse(file);
}

const visit = (who: string, path: string, city: string) => ({
  ...consented(who, [pageview(NOW, path)]),
  city,
});

test('an export has no row of a group that is too small', async () => {
  const world = await createWorld();
  const many = Array.from({ length: 6 }, (_, n) => visit(`many${n}`, '/a', 'Porto'));
  const others = Array.from({ length: 6 }, (_, n) => visit(`other${n}`, '/b', 'Lisbon'));
  await world.fold(...many, visit('one', '/secret', 'Porto'), ...others, visit('few', '/b', 'Faro'));
  const share = await sharedTo(world, ['overview', 'pages', 'cities']);
  const ask = (ctx: ReportContext, report: string, city: string) =>
    exported(ctx, world.siteId, { report, filters: { city } });
  for (const report of ['overview', 'timeseries', 'pages', 'retention']) {
    expect(await ask(share, report, 'Faro')).toEqual([]);
    expect(await ask(world.ctx(), report, 'Faro')).not.toEqual([]);
  }
  expect(await ask(share, 'pages', 'Porto')).toMatchObject([{ path: '/a' }]);
  expect(await ask(world.ctx(), 'pages', 'Porto')).toHaveLength(2);
  await expect(
    exported(share, world.siteId, { report: 'pages', filters: { country: 'PT' } }),
  ).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'filter_country' }],
  });
});

test('who is on the site now: a share that asks for a tier sees no page of a group that is too small', async () => {
  const world = await createWorld();
  const many = Array.from({ length: 6 }, (_, n) => visit(`many${n}`, '/a', 'Porto'));
  await world.fold(...many, visit('one', '/secret', 'Porto'));
  const share = await sharedTo(world, ['live', 'overview']);
  const asked = { siteId: world.siteId, tier: 3 as const };
  const shown = await askReport(share, asked, reportLive);
  expect(shown.data?.pages).toEqual([{ path: '/a', visitors: 6 }]);
  expect(shown.meta).toHaveProperty('withheldBelow');
  const all = await askReport(world.ctx(), asked, reportLive);
  expect(all.data?.pages).toHaveLength(2);
  expect(all.meta).not.toHaveProperty('withheldBelow');
});

test('a verb that is called past the list of reports answers no share’s filter', async () => {
  const world = await createWorld();
  const share = await sharedTo(world, ['overview', 'live']);
  const { siteId } = world;
  await expect(reportOverview(share, { siteId, range: { period: '7d' }, tier: 3 })).rejects.toThrow(
    'withholds',
  );
  await expect(reportLive(share, { siteId, tier: 3 })).rejects.toThrow('withholds');
  expect((await reportOverview(share, { siteId, range: { period: '7d' } })).data).toMatchObject({
    visits: 0,
  });
});
