/** Who may see a site's reports: its members, and shares of the same site. */
import { expect, test } from 'vitest';
import { reportPages } from '../../../lib/analytics/lists/pages.ts';
import { reportLive } from '../../../lib/analytics/series/live.ts';
import { reportOverview } from '../../../lib/analytics/series/overview.ts';
import type { ReportContext } from '../../../lib/context.ts';
import { NOW, pageview, session, useWorlds, type World } from './reports-world.ts';

const createWorld = useWorlds();

async function addShare({ sql, siteId }: World): Promise<ReportContext> {
  const [row] = await sql`
    insert into site_shares (site_id, name, hash, reports) values (${siteId}, 'All', uuid_send(gen_random_uuid()), '{}') returning id`;
  return { sql, now: () => Date.parse(NOW), actor: { kind: 'share', shareId: row?.id, siteId, reports: [] } };
}

/** Each way in which reports look for their site. */
const ask = (ctx: ReportContext, siteId: string) => [
  () => reportOverview(ctx, { siteId, range: { period: '24h' } }),
  () => reportPages(ctx, { siteId, range: { period: '7d' }, limit: 10, sort: 'reach' }),
  () => reportLive(ctx, { siteId }),
];

test('a share shows what a member sees', async () => {
  const world = await createWorld();
  await world.fold(session('a', [pageview(NOW, '/a')]));
  const [mine, shared] = await Promise.all(
    [world.ctx(), await addShare(world)].map((ctx) =>
      Promise.all(ask(ctx, world.siteId).map((run) => run())),
    ),
  );
  expect(shared).toEqual(mine);
  expect(shared?.[0]?.data).toMatchObject({ visitors: 1 });
});

test('a share shows no other site, not even of its project, and nothing once it is gone', async () => {
  const [world, other] = await Promise.all([createWorld(), createWorld()]);
  const { sql, siteId } = world;
  await sql`update sites set project_id = (select project_id from sites where id = ${siteId}) where id = ${other.siteId}`;
  const ctx = await addShare(world);
  const forged: ReportContext = {
    ...ctx,
    actor: { kind: 'share', shareId: crypto.randomUUID(), siteId, reports: [] },
  };
  for (const run of [...ask(ctx, other.siteId), ...ask(forged, siteId)]) {
    await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await sql`delete from site_shares where site_id = ${siteId}`;
  for (const run of ask(ctx, siteId)) await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a query token sees the sites of its person that it is narrowed to', async () => {
  const [world, other] = await Promise.all([createWorld(), createWorld()]);
  const { sql, siteId } = world;
  const [row] = await sql`
    select project_id, user_id from sites join project_members using (project_id) where sites.id = ${siteId}`;
  const { project_id: projectId, user_id: userId } = row as { project_id: string; user_id: string };
  const token = (projectIds: string[] | null, siteIds: string[] | null): ReportContext => ({
    sql,
    now: () => Date.parse(NOW),
    actor: { kind: 'queryToken', tokenId: crypto.randomUUID(), userId, scopes: [], projectIds, siteIds },
  });
  const elsewhere = [crypto.randomUUID()];
  const seeing = [
    token(null, null),
    token([projectId], null),
    token(null, [siteId]),
    token([projectId], [siteId]),
  ];
  const blind = [
    token(elsewhere, null),
    token(null, elsewhere),
    token(elsewhere, [siteId]),
    token([projectId], elsewhere),
    token([], null),
  ];
  for (const ctx of seeing) {
    for (const run of ask(ctx, siteId)) await run();
    // The id of another tenant's site gives no access.
    for (const run of ask(ctx, other.siteId))
      await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  for (const ctx of [...blind, token(null, [other.siteId])])
    for (const run of ask(ctx, siteId)) await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await sql`delete from project_members where user_id = ${userId}`;
  for (const ctx of seeing)
    for (const run of ask(ctx, siteId)) await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('whoever runs the service sees every site', async () => {
  const world = await createWorld();
  await world.fold(session('a', [pageview(NOW, '/a')]));
  const operator: ReportContext = { sql: world.sql, now: () => Date.parse(NOW), actor: { kind: 'operator' } };
  const [overview] = await Promise.all(ask(operator, world.siteId).map((run) => run()));
  expect(overview?.data).toMatchObject({ visitors: 1 });
});
