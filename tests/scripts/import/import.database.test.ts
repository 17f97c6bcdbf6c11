/** Imports into a database: what they write, what they refuse, and that an undo leaves nothing of them. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reportVisitValues } from '../../../lib/analytics/lists/visit-values.ts';
import { reportHeatmap } from '../../../lib/analytics/series/heatmap.ts';
import { reportOverview } from '../../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../../lib/analytics/series/timeseries.ts';
import { expireValues } from '../../../lib/collection/expire-values.ts';
import { expireVisits } from '../../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { expireImports } from '../../../lib/imports/expire-imports.ts';
import { listImports, undoImport } from '../../../lib/imports/imports.ts';
import { siteRows } from '../../ingest/site-rows.ts';
import { consented, pageview } from '../../lib/analytics/reports-world.ts';
import { targetOf } from './import-target.ts';
import { FIXTURES, GA4, useFolder, useWorlds, type World } from './import-world.ts';
import { zip } from './zip.ts';

/** Rows as a text, without the ids that are drawn each time. */
const withoutRandomIds = (rows: unknown): string =>
  JSON.stringify(rows).replaceAll(/"(?:import_id|id)\\?": ?\\?"[^"]+"/g, '');

const makeWorld = useWorlds();
const folderOf = useFolder();
const PLAUSIBLE = `${FIXTURES}plausible`;
const range = { from: '2026-03-28', to: '2026-03-30' } as const;

/** Stores a visit with consent. By default it is on a day after the fixtures' last one. */
const visit = ({ sql, siteId }: World, at = '2026-04-20T10:00:00Z', path = '/own') =>
  foldBatch(sql, [{ ...consented('ana', [pageview(at, path)]), siteId }], Date.parse(at));

const lastImport = async ({ target }: World) => (await target.list()).imports[0]?.id ?? '';

test.each([
  ['plausible', PLAUSIBLE, { visitors: 17, visits: 21, pageviews: 44 }, [7, 4, 6]],
  ['ga4-csv', GA4, { visitors: 17, visits: 21, pageviews: 44 }, [7, 4, 6]],
  ['umami', `${FIXTURES}umami`, { visitors: 4, visits: 5, pageviews: 7 }, [1, 1, 2]],
] as const)(
  '%s: the totals of the reports are those of the export',
  async (source, paths, totals, visitors) => {
    const world = await makeWorld();
    const { ctx, siteId } = world;
    await world.run(source, paths);
    const { data, meta } = await reportOverview(ctx, { siteId, range });
    expect(data).toMatchObject({
      ...totals,
      bounceRate: null,
      avgDuration: null,
      tiers: { visitors: { anonymousSessions: totals.visitors, consented: 0 } },
    });
    expect(meta.coverage).toMatchObject({
      observed: true,
      // The first day is in winter time.
      since: '2026-03-28T00:00:00.000Z',
      tiers: [2],
      // 24, 23 and 24 hours.
      observedShare: 1,
      imported: [{ source, from: '2026-03-28', to: '2026-03-30', counted: true }],
    });
    const days = await reportTimeseries(ctx, { siteId, range, interval: 'day' });
    expect(days.data.map((point) => [point.time, point.visitors])).toEqual([
      ['2026-03-28T00:00:00.000Z', visitors[0]],
      ['2026-03-29T00:00:00.000Z', visitors[1]],
      ['2026-03-29T23:00:00.000Z', visitors[2]],
    ]);
    const hours = await reportTimeseries(ctx, { siteId, range, interval: 'hour' });
    expect(hours.data.filter((point) => point.visits > 0)).toEqual(days.data);
  },
);

test('the heat map leaves imported days out: nobody knows when their visits began', async () => {
  const world = await makeWorld();
  const { ctx, siteId } = world;
  await world.run('plausible', PLAUSIBLE);
  await visit(world);
  const { data, meta } = await reportHeatmap(ctx, { siteId, range: { ...range, to: '2026-04-20' } });
  expect(data.filter(({ visits }) => visits > 0)).toEqual([{ weekday: 1, hour: 11, visits: 1, hours: 4 }]);
  expect(meta.coverage.imported[0]?.counted).toBe(false);
});

test('imported days are anonymous sessions: another tier and filters leave them out, and meta says so', async () => {
  const world = await makeWorld();
  const { ctx, siteId } = world;
  await world.run('plausible', PLAUSIBLE);
  const of = (more: object) => reportOverview(ctx, { siteId, range, ...more });
  const counted = async (more: object) => (await of(more)).meta.coverage.imported[0]?.counted;
  expect((await of({ tier: 2 })).data.visits).toBe(21);
  expect([await counted({}), await counted({ tier: 2 })]).toEqual([true, true]);
  for (const tier of [1, 3] as const) {
    expect((await of({ tier })).data).toMatchObject({ visits: 0, visitors: 0, pageviews: 0 });
    expect(await counted({ tier })).toBe(false);
  }
  const filters = [{ dimension: 'country', operator: 'is', values: ['PT'] }] as const;
  expect((await of({ filters })).data.visits).toBe(0);
  expect(await counted({ filters })).toBe(false);
});

test('meta tells of the imported days that lie in the range alone', async () => {
  const world = await makeWorld();
  const { ctx, siteId } = world;
  await world.run('plausible', PLAUSIBLE);
  const imported = async (from: string, to: string) =>
    (await reportOverview(ctx, { siteId, range: { from, to } })).meta.coverage.imported;
  const whole = { source: 'plausible', counted: true };
  expect(await imported('2026-03-29', '2026-04-30')).toEqual([
    { ...whole, from: '2026-03-29', to: '2026-03-30' },
  ]);
  expect(await imported('2026-03-20', '2026-03-28')).toEqual([
    { ...whole, from: '2026-03-28', to: '2026-03-28' },
  ]);
  expect(await imported('2026-03-20', '2026-03-27')).toEqual([]);
  expect(await imported('2026-03-31', '2026-04-30')).toEqual([]);
});

test('a dry run tells what there is and writes nothing', async () => {
  const world = await makeWorld();
  const before = await world.dump();
  const output = await world.run('plausible', PLAUSIBLE, { dryRun: true });
  expect(output).toContain('3 days from 2026-03-28 to 2026-03-30');
  expect(output).toContain('21 visits, 44 page views, 17 visitors');
  expect(output).toContain('left out: bounces and durations');
  expect(output).toContain('left out: cities');
  expect(output).toContain('left out: operating systems');
  expect(output).toContain('dry run');
  expect(await world.dump()).toEqual(before);
});

test.each([
  ['plausible', PLAUSIBLE],
  ['ga4-csv', GA4],
  ['umami', `${FIXTURES}umami`],
] as const)('%s: undone, every table is as before', async (source, paths) => {
  const world = await makeWorld();
  await visit(world);
  const before = await world.dump();
  await world.run(source, paths);
  expect(await world.dump()).not.toEqual(before);
  const after = await siteRows(world.sql, world.siteId);
  await undoImport(world.ctx, { siteId: world.siteId, importId: await lastImport(world) });
  await expireValues(world.ctx);
  const isOfVisit = ({ name, row }: (typeof before)[number]) =>
    name === 'site_texts' && ['Direct', 'Unknown', 'example.com'].includes(String(row.value));
  expect((await world.dump()).filter((line) => !isOfVisit(line))).toEqual(before);
  // Importing again gives the same rows, except for the id of the import.
  await world.run(source, paths);
  expect(withoutRandomIds(await siteRows(world.sql, world.siteId))).toEqual(withoutRandomIds(after));
});

test('undo leaves what else has come since, and the texts that it may use', async () => {
  const world = await makeWorld();
  await world.run('plausible', PLAUSIBLE);
  await visit(world, '2026-05-10T15:50:00Z', '/pricing');
  // A very late message on one of the imported days.
  await visit(world, '2026-03-29T00:10:00Z', '/late');
  await undoImport(world.ctx, { siteId: world.siteId, importId: await lastImport(world) });
  const { sql, siteId, ctx } = world;
  await expireValues(ctx);
  const { data, meta } = await reportOverview(ctx, {
    siteId,
    range: { from: '2026-03-01', to: '2026-05-10' },
  });
  expect(data).toMatchObject({ visitors: 1, visits: 2, pageviews: 2 });
  expect(meta.coverage.imported).toEqual([]);
  const rows = await sql`
    select value from site_texts t join visits v on v.site_key = t.site_key and v.entry_page = t.id
    join sites on sites.key = v.site_key where sites.id = ${siteId} order by 1`;
  expect(rows.map(({ value }) => value)).toEqual(['/late', '/pricing']);
  const paths = await sql`
    select value from site_texts t join sites on sites.key = t.site_key where sites.id = ${siteId} and value like '/%' order by 1`;
  expect(paths).toEqual(rows);
});

test('an import and its undoing are in the audit log', async () => {
  const world = await makeWorld();
  const { sql, siteId, ctx } = world;
  await world.run('plausible', PLAUSIBLE);
  const importId = await lastImport(world);
  await undoImport(ctx, { siteId, importId });
  const lines = await sql`
    select action, actor ->> 'kind' as actor, result, subject = sha256(convert_to(${`${siteId} ${importId}`}, 'UTF8')) as is_subject
    from audit_log where site = ${siteId} order by action`;
  const line = { actor: 'session', result: 'done', is_subject: true };
  expect(lines).toEqual([
    { action: 'import.add', ...line },
    { action: 'import.begin', ...line },
    { action: 'import.undo', ...line },
  ]);
});

test('days of the site itself, and those that may still get events, are passed over', async () => {
  const world = await makeWorld();
  await visit(world, '2026-03-29T22:30:00Z');
  expect(await world.run('plausible', PLAUSIBLE)).toContain(
    'skipped: 2 days from 2026-03-29 to 2026-03-30 (imported are days before 2026-03-29',
  );
  const fresh = await makeWorld();
  const head = 'date,visitors,visits,pageviews\n';
  const row = (day: string) => `2026-05-${day},1,1,1\n`;
  const folder = await folderOf({ 'imported_visitors.csv': `${head}${row('08')}${row('09')}${row('10')}` });
  expect(await fresh.run('plausible', folder)).toContain('skipped: 2 days from 2026-05-09 to 2026-05-10');
  const none = await folderOf({ 'imported_visitors.csv': `${head}${row('09')}` });
  await expect((await makeWorld()).run('plausible', none)).rejects.toThrow(
    'the export: has no day that can be imported: only days before 2026-05-09 can',
  );
  const future = await folderOf({ 'imported_visitors.csv': `${head}${row('11')}` });
  await expect(fresh.run('plausible', future)).rejects.toThrow(
    'imported_visitors.csv, line 2, column "date": must not be a day in the future',
  );
});

test('a day is imported once; --from-day and --to-day choose', async () => {
  const world = await makeWorld();
  await world.run('plausible', PLAUSIBLE, { toDay: '2026-03-28' });
  const before = await world.dump();
  for (const dryRun of [true, false])
    await expect(world.run('ga4-csv', GA4, { dryRun })).rejects.toThrow(
      'the export: has days that were imported before, the first one 2026-03-28',
    );
  expect(await world.dump()).toEqual(before);
  await world.run('ga4-csv', GA4, { fromDay: '2026-03-29', toDay: '2026-03-29' });
  const { meta, data } = await reportOverview(world.ctx, { siteId: world.siteId, range });
  expect(data.visits).toBe(14);
  expect(meta.coverage.imported.map(({ source, from, to }) => [source, from, to])).toEqual([
    ['plausible', '2026-03-28', '2026-03-28'],
    ['ga4-csv', '2026-03-29', '2026-03-29'],
  ]);
});

const other = 'f'.repeat(64);

test('an import that was broken off is seen by no report, and goes when another one begins', async () => {
  const world = await makeWorld();
  const { sql, siteId, ctx, target } = world;
  const left = await target.begin({ source: 'plausible', dimensions: ['page'], contentHash: other });
  await target.add(left.id, { number: 1, days: [['2026-03-28', 5, 5, 5]] });
  await target.add(left.id, { number: 2, dimension: 'page', values: [['2026-03-28', '/left', 5, 5, 5]] });
  const { data, meta } = await reportOverview(ctx, { siteId, range });
  expect([data.visits, meta.coverage.imported, meta.coverage.since]).toEqual([0, [], null]);
  expect((await target.list()).imports).toMatchObject([
    { id: left.id, state: 'receiving', from: '2026-03-28', to: '2026-03-28', rows: 2, pieces: 2 },
  ]);
  await world.run('plausible', PLAUSIBLE);
  expect((await reportOverview(ctx, { siteId, range })).data.visits).toBe(21);
  await expireValues(ctx);
  expect(
    await sql`select from site_texts t join sites on key = site_key where sites.id = ${siteId} and value = '/left'`,
  ).toEqual([]);
  await expect(target.finish(left.id, 2)).rejects.toThrow('No such import.');
});

test('an import that was broken off is removed after a day, unless it is begun again or finished', async () => {
  const HOUR_MS = 60 * 60 * 1000;
  const worlds = await Promise.all([makeWorld(), makeWorld(), makeWorld()]);
  const [left, resumed, finished] = worlds as [World, World, World];
  const untouched = await left.dump();
  const begin = async ({ ctx, siteId }: World, hours: number) => {
    const target = targetOf({ ...ctx, now: () => ctx.now() + hours * HOUR_MS }, siteId);
    return target.begin({ source: 'plausible', dimensions: ['page'], contentHash: other });
  };
  for (const world of worlds) {
    const { id } = await begin(world, 0);
    await world.target.add(id, { number: 1, days: [['2026-03-28', 5, 5, 5]] });
    await world.target.add(id, {
      number: 2,
      dimension: 'page',
      values: [['2026-03-28', '/left', 5, 5, 5]],
    });
    if (world === finished) await world.target.finish(id, 2);
  }
  const expire = ({ ctx }: World, hours: number) => {
    const later = { ...ctx, now: () => ctx.now() + hours * HOUR_MS };
    return expireImports(later).then(() => expireValues(later));
  };
  const states = () =>
    Promise.all(
      worlds.map(async ({ target }) =>
        (await target.list()).imports.map(({ state, pieces }) => [state, pieces]),
      ),
    );
  await expire(left, 23);
  expect(await states()).toEqual([[['receiving', 2]], [['receiving', 2]], [['done', 2]]]);
  await begin(resumed, 20);
  await expire(left, 25);
  expect(await states()).toEqual([[], [['receiving', 2]], [['done', 2]]]);
  const isAudit = ({ name }: { name: string }) => name.includes('audit');
  expect((await left.dump()).filter((row) => !isAudit(row))).toEqual(
    untouched.filter((row) => !isAudit(row)),
  );
  await expire(left, 45);
  expect(await states()).toEqual([[], [], [['done', 2]]]);
});

test('an import that was broken off goes on where it was, and each piece counts once', async () => {
  const world = await makeWorld();
  const whole = await makeWorld();
  await whole.run('plausible', PLAUSIBLE);
  const { target } = world;
  const sent: number[] = [];
  const add: typeof target.add = async (id, piece) => {
    sent.push(piece.number);
    await target.add(id, piece);
    // What was stored is sent again, as after an answer that was lost.
    await target.add(id, piece);
    if (piece.number === 4 && sent.length === 4) throw new Error('broken off');
  };
  const again = () => world.run('plausible', PLAUSIBLE, {}, { ...target, add });
  await expect(again()).rejects.toThrow('broken off');
  expect((await target.list()).imports).toMatchObject([{ state: 'receiving', pieces: 4 }]);
  await again();
  expect(sent).toEqual(sent.map((_, index) => index + 1));
  expect(sent.length).toBeGreaterThan(8);
  expect(withoutRandomIds(await siteRows(world.sql, world.siteId))).toEqual(
    withoutRandomIds(await siteRows(whole.sql, whole.siteId)),
  );
  expect((await target.list()).imports).toMatchObject([{ state: 'done', days: 3 }]);
});

test('pieces that do not fit are refused, and change nothing', async () => {
  const world = await makeWorld();
  const { target, dump } = world;
  await visit(world);
  const { id } = await target.begin({ source: 'ga4-csv', dimensions: ['page'], contentHash: other });
  const day: [string, number, number, number] = ['2026-03-28', 1, 1, 1];
  await target.add(id, { number: 1, days: [day] });
  const before = await dump();
  const page: [string, string, number, number, number] = ['2026-03-28', '/', 1, 1, 1];
  for (const [piece, message] of [
    [{ number: 3, days: [['2026-03-29', 1, 1, 1]] }, 'Pieces are missing before this one.'],
    [{ number: 2, days: [['2026-03-29', 1, 1, 1], day] }, 'were imported before'],
    [{ number: 2, days: [['2026-04-20', 1, 1, 1]] }, 'Only days before the site’s own first event'],
    [
      { number: 2, dimension: 'page', values: [page, ['2026-03-29', '/', 1, 1, 1]] },
      'totals of each day must come before',
    ],
    [
      { number: 2, dimension: 'country', values: [['2026-03-28', 'PT', 1, 1, 1]] },
      'begun without this dimension',
    ],
  ] as [Parameters<typeof target.add>[1], string][])
    await expect(target.add(id, piece)).rejects.toThrow(message);
  await expect(target.finish(id, 2)).rejects.toThrow('Pieces are missing');
  expect(await dump()).toEqual(before);
  await target.add(id, { number: 2, dimension: 'page', values: [page] });
  await target.finish(id, 2);
  expect(await target.finish(id, 2)).toMatchObject({ state: 'done' });
  await expect(target.add(id, { number: 3, days: [['2026-03-29', 1, 1, 1]] })).rejects.toThrow('is finished');
});

test('the values of a day may come in several pieces', async () => {
  const { target, ctx, siteId } = await makeWorld();
  const { id } = await target.begin({ source: 'umami', dimensions: ['country'], contentHash: other });
  await target.add(id, { number: 1, days: [['2026-03-28', 9, 9, 9]] });
  await target.add(id, { number: 2, dimension: 'country', values: [['2026-03-28', 'PT', 1, 2, 3]] });
  await target.add(id, { number: 3, dimension: 'country', values: [['2026-03-28', 'ES', 4, 5, 6]] });
  await target.finish(id, 3);
  const { data } = await reportVisitValues(ctx, {
    siteId,
    range,
    dimension: 'country',
    limit: 10,
    offset: 0,
  });
  expect(data).toEqual([
    { value: 'ES', visitors: 4, visits: 5, pageviews: 6 },
    { value: 'PT', visitors: 1, visits: 2, pageviews: 3 },
  ]);
});

test('days that the site got by itself meanwhile can not be finished', async () => {
  const world = await makeWorld();
  const { id } = await world.target.begin({ source: 'umami', dimensions: [], contentHash: other });
  await world.target.add(id, { number: 1, days: [['2026-03-28', 9, 9, 9]] });
  await visit(world, '2026-03-28T10:00:00Z');
  await expect(world.target.finish(id, 1)).rejects.toThrow('Only days before');
});

test('what the policy keeps no longer is not imported, and goes when it is too old', async () => {
  const world = await makeWorld();
  const { sql, siteId, ctx } = world;
  await world.run('plausible', PLAUSIBLE);
  await sql`update sites set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 1
    where id = ${siteId}`;
  await expireVisits({ sql, now: () => Date.parse('2026-04-29T12:00:00Z') });
  const [left] = (await listImports(ctx, { siteId })).imports;
  expect(left).toMatchObject({ from: '2026-03-29', to: '2026-03-30' });
  expect((await reportOverview(ctx, { siteId, range })).data.visits).toBe(12);
  await expireVisits(ctx);
  expect((await listImports(ctx, { siteId })).imports).toEqual([]);
  await expect(world.run('plausible', PLAUSIBLE)).rejects.toThrow('has no day that can be imported');
});

test('a ZIP archive is as good as its folder', async () => {
  const [folder, archive] = [await makeWorld(), await makeWorld()];
  const files: Record<string, string> = { 'README.txt': 'hello' };
  for (const name of await readdir(PLAUSIBLE)) files[name] = await readFile(`${PLAUSIBLE}/${name}`, 'utf8');
  const path = `${await folderOf({ 'export.zip': zip(files) })}/export.zip`;
  const withoutId = (output: string) => output.split('\nImported as')[0];
  expect(withoutId(await archive.run('plausible', path))).toBe(
    withoutId(await folder.run('plausible', PLAUSIBLE)),
  );
});

test('no such site, no such import', async () => {
  const { ctx, target } = await makeWorld();
  const nobodys = targetOf(ctx, crypto.randomUUID());
  const begin = { source: 'umami' as const, dimensions: [], contentHash: other };
  await expect(nobodys.list()).rejects.toThrow('No such site.');
  await expect(nobodys.begin(begin)).rejects.toThrow('No such site.');
  const { id } = await target.begin(begin);
  for (const [of, importId] of [
    [nobodys, id],
    [target, crypto.randomUUID()],
  ] as const)
    for (const call of [
      () => of.get(importId),
      () => of.add(importId, { number: 1, days: [['2026-03-28', 1, 1, 1]] }),
      () => of.finish(importId, 1),
      () => of.undo(importId),
    ])
      await expect(call()).rejects.toThrow(of === target ? 'No such import.' : 'No such site.');
});
