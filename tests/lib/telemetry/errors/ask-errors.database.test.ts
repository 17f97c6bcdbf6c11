/** What is asked of groups of errors, and who changes them. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { ActorOf } from '../../../../lib/context.ts';
import type { Sql } from '../../../../lib/db.ts';
import type { SpanRow } from '../../../../lib/otlp/rows.ts';
import { changeError } from '../../../../lib/telemetry/errors/change-error.ts';
import { ListErrors, OneError } from '../../../../lib/telemetry/errors/error-schemas.ts';
import { getError } from '../../../../lib/telemetry/errors/get-error.ts';
import { listErrors } from '../../../../lib/telemetry/errors/list-errors.ts';
import { sumErrors } from '../../../../lib/telemetry/errors/sum-errors.ts';
import { storeTraces } from '../../../../lib/telemetry/store-traces.ts';
import { addIngestKey } from '../../../security/session.ts';
import { createTenant } from '../../../security/tenant.ts';
import { useDatabase } from '../../../services/database.ts';
import { linkPage } from '../../associations/link-page.ts';
import { spanAt, traces } from '../ingest-sender.ts';

const database = useDatabase();
const HOUR_MS = 3_600_000;
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 1000;

const failed = (location: string, hoursAgo: number, fields: Partial<SpanRow> = {}): SpanRow =>
  spanAt(NOW - hoursAgo * HOUR_MS, { statusCode: 2, name: location, ...fields });

async function createWorld(sql: Sql) {
  const tenant = await createTenant(sql);
  const { actor } = await addIngestKey(sql, tenant.projectId);
  const ids = { projectId: tenant.projectId, environmentId: actor.environmentId };
  const session: ActorOf<'session'> = {
    ...{ kind: 'session', userId: tenant.userId, sessionId: tenant.userId },
  } as ActorOf<'session'>;
  let now = NOW;
  const ctx = { sql, actor: session, now: () => now };
  return {
    ...{ ids, siteId: tenant.siteId, ctx },
    later: (ms: number) => {
      now += ms;
    },
    send: async (spans: SpanRow[], release?: string, services = ['shop']) => {
      const batch = traces(spans, services);
      const resources = batch.resources.map((resource) => ({
        ...resource,
        attributes: { ...resource.attributes, ...(release !== undefined && { 'service.version': release }) },
      }));
      await storeTraces({ sql, actor, now: () => now }, { ...batch, resources });
      await sumErrors({ sql, now: () => now });
    },
    list: (asked: object = {}) => listErrors(ctx, v.parse(ListErrors, { ...ids, ...asked })),
    get: (errorId: string, asked: object = {}) =>
      getError(ctx, v.parse(OneError, { ...ids, errorId, ...asked })),
    change: (errorId: string, state: 'open' | 'resolved' | 'ignored') =>
      changeError(
        { ...ctx, requestId: 'r', tool: 'changeError', inputHash: null },
        { ...ids, errorId, state },
      ),
  };
}

const locations = ({ data }: { data: { location: string | null }[] }) => data.map(({ location }) => location);

describe('the list', () => {
  test('counts by hour, in the order and with the filters that were asked for', async () => {
    const world = await createWorld(database().sql);
    await world.send([failed('a', 3), failed('a', 2), failed('a', 2), failed('b', 1)], '1.0');
    await world.send([failed('c', 0), { ...failed('b', 5), resource: 1 }], '1.1', ['shop', 'mail']);
    const all = await world.list();
    expect(all.data.map(({ location, service, occurrences }) => [location, service, occurrences])).toEqual([
      ['c', 'shop', 1],
      ['b', 'shop', 1],
      ['a', 'shop', 3],
      ['b', 'mail', 1],
    ]);
    expect(all.meta).toMatchObject({ intervalSeconds: 3600, nextCursor: null, coverage: { observed: true } });
    expect(all.data[2]?.counts.slice(-4)).toEqual([1, 2, 0, 0]);
    expect(all.data[2]?.counts.length).toBe(25);
    expect(locations(await world.list({ order: 'count' }))[0]).toBe('a');
    expect(locations(await world.list({ order: 'first-seen' }))).toEqual(['c', 'b', 'a', 'b']);
    expect(locations(await world.list({ service: 'mail' }))).toEqual(['b']);
    expect(locations(await world.list({ release: '1.0' }))).toEqual(['b', 'a']);
    expect(locations(await world.list({ release: '2' }))).toEqual([]);
    expect(locations(await world.list({ period: '1h' }))).toEqual(['c', 'b']);
    const week = await world.list({ period: '30d' });
    expect([week.meta.intervalSeconds, week.data[2]?.counts.reduce((sum, n) => sum + n)]).toEqual([
      86_400, 3,
    ]);
  });

  test.each(['last-seen', 'first-seen', 'count'])('pages by %s have each group once', async (order) => {
    const world = await createWorld(database().sql);
    await world.send([...Array(7).keys()].map((n) => failed(`GET /${'abcdefg'[n]}`, n % 3)));
    const found: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.list({ order, limit: 2, ...(cursor !== undefined && { cursor }) });
      found.push(...locations(page));
      cursor = page.meta.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual([...'abcdefg'].map((letter) => `GET /${letter}`));
  });

  test.each(['1', 'x'.repeat(12), '99999999999999-1-1', '1-99999999999999999999-1', '9999999999999-1-1'])(
    'refuses the cursor %s',
    async (position) => {
      const world = await createWorld(database().sql);
      await world.send([failed('a', 0), failed('b', 1)]);
      const { meta } = await world.list({ limit: 1 });
      const cursor = `${meta.nextCursor?.split('.')[0]}.${position}`;
      await expect(world.list({ limit: 1, cursor })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );

  test('says up to when errors are in their groups', async () => {
    const { sql } = database();
    const world = await createWorld(sql);
    await world.send([failed('a', 0)]);
    await sql`
      insert into error_parts select id, first_nano, last_nano, ${new Date(NOW - 5000).toISOString()}, now(), environment_key, 1, service,
        '', type, cause, location, template, examples
      from error_groups where environment_key = (select key from environments where id = ${world.ids.environmentId})`;
    expect((await world.list()).meta.freshness.foldedAt).toBe(new Date(NOW - 5000).toISOString());
  });
});

describe('a state', () => {
  test('is set by an admin, filters the list, and a resolved group returns', async () => {
    const { sql } = database();
    const world = await createWorld(sql);
    await world.send([failed('a', 1), failed('b', 1), failed('c', 1)]);
    const idOf = async (location: string) =>
      (await world.list()).data.find((group) => group.location === location)?.id as string;
    expect(await world.change(await idOf('a'), 'resolved')).toEqual({
      id: await idOf('a'),
      state: 'resolved',
    });
    await world.change(await idOf('b'), 'ignored');
    expect(locations(await world.list({ state: 'unsolved' }))).toEqual(['c']);
    expect(locations(await world.list({ state: 'resolved' }))).toEqual(['a']);
    world.later(1000);
    await world.send([failed('a', 0, { startNano: `${NOW + 500}000000` }), failed('b', 0)], '2.0');
    expect((await world.list({ state: 'returned' })).data).toMatchObject([
      {
        location: 'a',
        lastRelease: '2.0',
        firstRelease: null,
        returnedAt: new Date(NOW + 1000).toISOString(),
      },
    ]);
    expect(locations(await world.list({ state: 'unsolved', order: 'count' })).toSorted()).toEqual(['a', 'c']);
    await world.change(await idOf('b'), 'open');
    expect(locations(await world.list({ state: 'open' })).toSorted()).toEqual(['b', 'c']);
    const lines = await sql`
      select action, target, target_name from audit_log where project_id = ${world.ids.projectId} and action = 'error.change' order by at, id`;
    expect(lines).toContainEqual({
      action: 'error.change',
      target: await idOf('a'),
      target_name: 'shop · Error · a',
    });
  });

  test('of no group is not found', async () => {
    const world = await createWorld(database().sql);
    await expect(world.change('00000000000000ff', 'resolved')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world.get('00000000000000ff')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('a failed request with two failed spans is one trace, and none in a range without it', async () => {
  const world = await createWorld(database().sql);
  const one = failed('a', 0);
  await world.send([one, { ...failed('a', 0), traceId: one.traceId }, failed('a', 30)]);
  const counted = async (asked: object) =>
    (await world.list(asked)).data.map(({ traces: of, occurrences }) => [of, occurrences]);
  expect([await counted({ period: '24h' }), await counted({ period: '7d' })]).toEqual([[[1, 2]], [[2, 3]]]);
  const { id } = (await world.list()).data[0] as { id: string };
  const before = {
    from: new Date(NOW - 9 * HOUR_MS).toISOString(),
    to: new Date(NOW - 5 * HOUR_MS).toISOString(),
  };
  expect((await world.get(id, before)).data).toMatchObject({ traces: 0, occurrences: 0 });
});

test('the details have releases, examples, and the pages and visits that led there', async () => {
  const { sql } = database();
  const world = await createWorld(sql);
  const [one, two, three] = [failed('a', 0), failed('a', 1), failed('a', 2)];
  await world.send([three], '1.0');
  await world.send([two, one], '1.1');
  const { id } = (await world.list()).data[0] as { id: string };
  expect((await world.get(id)).data).toMatchObject({ pageViews: 'not observed', pages: [], visits: [] });
  for (const [span, pages] of [
    [one, ['/', '/cart']],
    [two, ['/cart']],
  ] as const)
    await linkPage(sql, {
      ...{ environmentId: world.ids.environmentId, siteId: world.siteId, traceId: span.traceId, pages },
      at: Number(span.startNano.slice(0, -6)),
    });
  const { data, meta } = await world.get(id);
  expect(data).toMatchObject({
    ...{ location: 'a', traces: 3, occurrences: 3, pageViews: 'observed' },
    pages: [{ siteId: world.siteId, path: '/cart', traces: 2, visits: 2 }],
    visits: [
      { source: 'Google', traceId: one?.traceId },
      { source: 'Google', traceId: two?.traceId },
    ],
    example: { traceId: one?.traceId, spanId: one?.spanId },
  });
  expect(data.releases.map(({ release, occurrences }) => [release, occurrences])).toEqual([
    ['1.1', 2],
    ['1.0', 1],
  ]);
  expect(data.examples.map(({ traceId }) => traceId)).toEqual([one, two, three].map((span) => span?.traceId));
  expect(meta.intervalSeconds).toBe(3600);
});
