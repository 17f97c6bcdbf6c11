/** Who may see a site's reports: its members, and a share of that very site. */
import { expect, test } from 'vitest';
import { reportLive } from '../../../lib/analytics/live.ts';
import { reportOverview } from '../../../lib/analytics/overview.ts';
import { reportPages } from '../../../lib/analytics/pages.ts';
import type { ReportContext } from '../../../lib/context.ts';
import { NOW, pageview, session, useWorlds, type World } from './reports-world.ts';

const createWorld = useWorlds();

async function addShare({ sql, siteId }: World): Promise<ReportContext> {
  const [row] = await sql`
    insert into site_shares (site_id, name, hash, reports) values (${siteId}, 'All', uuid_send(gen_random_uuid()), '{}') returning id`;
  return { sql, now: () => Date.parse(NOW), actor: { kind: 'share', shareId: row?.id, siteId } };
}

/** Each way in which a report finds its site. */
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
    actor: { ...ctx.actor, kind: 'share', shareId: crypto.randomUUID(), siteId },
  };
  for (const run of [...ask(ctx, other.siteId), ...ask(forged, siteId)]) {
    await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await sql`delete from site_shares where site_id = ${siteId}`;
  for (const run of ask(ctx, siteId)) await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
