/** Checks for each dimension of the list that it is folded, sealed, merged into blocks, listed, filtered and documented. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../lib/context.ts';
import {
  DIMENSIONS,
  type Dimension,
  OTHER_DIMENSIONS,
  VALUE_LISTS,
  VISIT_DIMENSIONS,
} from '../../lib/visits/dimensions.ts';
import { ORACLE_DIMENSIONS } from '../oracle/dimensions.ts';
import { overviewOf, valuesOf, type World } from '../oracle/reports.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { asMessage } from './months.ts';

const database = useDatabase();

const NOW = Date.parse('2026-06-17T15:42:10.123Z');
const DAY_MS = 86_400_000;
const RANGE = { period: '90d' } as const;
const ALL = 100;

test('the oracle knows the same dimensions', () => {
  expect(Object.keys(ORACLE_DIMENSIONS).sort()).toEqual([...DIMENSIONS].sort());
});

test('each has a number of its own, and the database has the same list', async () => {
  const { sql } = database();
  const numbers = [...VISIT_DIMENSIONS, ...OTHER_DIMENSIONS].map(({ name, number }) => ({ name, number }));
  expect(new Set(numbers.map(({ number }) => number)).size).toBe(numbers.length);
  const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number;
  expect(
    await sql`select name, number, dimension_number(name) as looked_up from dimensions order by number`,
  ).toEqual(numbers.map((of) => ({ ...of, looked_up: of.number })).sort(byNumber));
  await expect(sql`select dimension_number('pages')`).rejects.toThrow('no dimension: pages');
});

/** Three visits per day by a few visitors who return. */
async function fillMonths() {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const messages = Array.from({ length: 240 }, (_, n) =>
    asMessage(
      {
        id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        ago: Math.round((n / 3) * DAY_MS) + 1000,
        visitor: n % 7,
        tier: n % 4 === 0 ? 2 : 3,
        continued: n % 11 === 0,
        kind: 'pageview',
        path: '/',
        values: n % 12,
      },
      NOW,
      siteId,
    ),
  );
  await foldBatch(sql, messages, NOW);
  const events = distinctEvents(messages);
  const world: World = { events, visits: visitsOf(events), zone: 'UTC', tier: undefined };
  const ctx: MemberContext = { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId } };
  return { ctx, siteId, world };
}

test('each is listed and filtered by, from visits and from sealed days', async () => {
  const { ctx, siteId, world } = await fillMonths();
  const listOf = async (dimension: Dimension) =>
    (await reportVisitValues(ctx, { siteId, range: RANGE, limit: ALL, dimension })).data;
  const expected = DIMENSIONS.map((name) => valuesOf(world, RANGE.period, name, ALL, NOW));
  for (const values of expected) expect(values.length).toBeGreaterThan(0);

  for (const [n, name] of DIMENSIONS.entries())
    expect([name, await listOf(name)]).toEqual([name, expected[n]]);
  await sealVisits(ctx, { timeMs: 60_000 });
  const [row] = await ctx.sql`select count(*)::integer as blocks from sealed_days where span = 28`;
  expect(row?.blocks).toBeGreaterThan(0);
  for (const [n, name] of DIMENSIONS.entries())
    expect([name, await listOf(name)]).toEqual([name, expected[n]]);

  for (const dimension of DIMENSIONS) {
    const filters = [
      { dimension, operator: 'is' as const, values: [ORACLE_DIMENSIONS[dimension].values[0]] },
    ];
    const { data } = await reportOverview(ctx, { siteId, range: RANGE, filters });
    const { visitors, visits, pageviews } = overviewOf({ ...world, filters }, RANGE.period, NOW);
    expect([dimension, data]).toEqual([dimension, expect.objectContaining({ visitors, visits, pageviews })]);
  }
}, 300_000);

test('each stands in docs/reports.md, with its list', async () => {
  const document = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8');
  expect(
    [...DIMENSIONS, ...VALUE_LISTS.map(({ path }) => path)].filter(
      (name) => !document.includes(`\`${name}\``),
    ),
  ).toEqual([]);
});
