/** A visitor counts once in a list, in whichever sealed days and visits that aren't sealed they come. */
import { expect, test } from 'vitest';
import { reportEdgePages } from '../../../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../../../lib/analytics/lists/visit-values.ts';
import { seal } from '../../../ingest/seal-days.ts';
import { consented, NOW, pageview, session, useWorlds, type World } from '../reports-world.ts';

const makeWorld = useWorlds();

/** Visitors of each path, by the lists of pages. */
async function visitorsOf({ siteId, ctx }: World) {
  const asked = { siteId, range: { period: '30d' }, limit: 10 } as const;
  const lists = [
    await reportPages(ctx(), { ...asked, sort: 'visitors' }),
    await reportEdgePages(ctx(), { ...asked, edge: 'entry' }),
    await reportEdgePages(ctx(), { ...asked, edge: 'exit' }),
  ];
  const { data: devices } = await reportVisitValues(ctx(), { ...asked, dimension: 'device' });
  const byPath = lists.map(({ data }) =>
    Object.fromEntries(data.map(({ path, visitors }) => [path, visitors])),
  );
  return { byPath, devices: devices.map(({ visitors }) => visitors) };
}

/** Seals a day, or the part of it that is over by then. */
async function sealDay({ sql, siteId }: World, of: { daysBack: number; agoMs: number }): Promise<void> {
  for (const step of ['begin', 'end'] as const)
    expect(await seal(sql, siteId, Date.parse(NOW), { ...of, eighths: 0, slow: false }, step)).toBe(true);
}

test('a day between two that are not sealed', async () => {
  const world = await makeWorld();
  const desktop = { device: 'desktop' } as const;
  await world.fold(
    consented('bob', [pageview('2026-06-15T10:00:00Z', '/first')], desktop),
    consented('bob', [pageview('2026-06-16T10:00:00Z', '/then')], desktop),
    consented('bob', [pageview('2026-06-17T10:00:00Z', '/then')], desktop),
  );
  await sealDay(world, { daysBack: 1, agoMs: 0 });
  const paths = { '/first': 1, '/then': 1 };
  expect(await visitorsOf(world)).toEqual({ byPath: [paths, paths, paths], devices: [1] });
});

test('the sealed part of the present day, hours before', async () => {
  const world = await makeWorld();
  const desktop = { device: 'desktop' } as const;
  await world.fold(
    session('ana', [pageview('2026-06-17T02:00:00Z', '/again')], desktop),
    session(
      'ana',
      [pageview('2026-06-17T13:00:00Z', '/again'), pageview('2026-06-17T13:01:00Z', '/new')],
      desktop,
    ),
    consented('bob', [pageview('2026-06-17T03:00:00Z', '/again')], desktop),
    consented('bob', [pageview('2026-06-17T14:00:00Z', '/again')], desktop),
  );
  await sealDay(world, { daysBack: 0, agoMs: 3 * 60 * 60 * 1000 });
  expect(await visitorsOf(world)).toEqual({
    byPath: [{ '/again': 2, '/new': 1 }, { '/again': 2 }, { '/again': 2, '/new': 1 }],
    devices: [2],
  });
});
