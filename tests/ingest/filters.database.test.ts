/**
 * A filter chooses visits, and nothing else (docs/reports.md#filters). Without the oracle: a filter and its negation add up to what the
 * other filters keep, in every report, and a list that is filtered by the value of a row shows this row unchanged.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportFunnel } from '../../lib/analytics/behaviour/funnel.ts';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportJourneys } from '../../lib/analytics/behaviour/journeys.ts';
import { reportRetention } from '../../lib/analytics/behaviour/retention.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportEventProps } from '../../lib/analytics/lists/event-props.ts';
import { reportPageProps } from '../../lib/analytics/lists/page-props.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import type { Filter, FilterDimension } from '../../lib/analytics/reading/filters.ts';
import type { ReportInput } from '../../lib/analytics/reading/run-report.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { type Dimension, NEW_VALUES } from '../../lib/visits/dimensions.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { addFunnel, addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, drawnFilterBy, FILTERED, GOALS } from './drawn-filter.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const ALL = 100;
const EVENTS = ['signup', 'purchase'];
const LISTED = ['source', 'country', 'region', 'os'] as const;

interface Asked {
  ctx: MemberContext;
  funnelId: string;
  input: Pick<ReportInput, 'siteId' | 'range' | 'tier'>;
}

const drawnSite = streams(30).chain((stream) =>
  fc.record({
    stream: fc.constant(stream),
    batches: deliveries(stream.messages(PLACEHOLDER)),
    seals: drawnSeals,
    /** The kinds of values of which the site's days take no new one. */
    full: fc.oneof(fc.constant([]), fc.subarray([...NEW_VALUES])),
    tier: fc.constantFrom(undefined, undefined, undefined, 1 as const, 2 as const, 3 as const),
    period: fc.constantFrom('24h' as const, '7d' as const, '30d' as const),
    others: fc.array(drawnFilter, { maxLength: 1 }),
  }),
);
type DrawnSite = typeof drawnSite extends fc.Arbitrary<infer T> ? T : never;

async function fill(sql: Sql, { stream, batches, seals, full, tier, period }: DrawnSite): Promise<Asked> {
  const { now, zone } = stream;
  const { siteId, userId } = await makeOwnedSite(sql, zone);
  for (const goal of GOALS) await addGoal(sql, siteId, goal);
  const funnelId = await addFunnel(sql, siteId, {
    name: 'Way',
    steps: [{ page: '/**' }, { event: 'signup' }],
  });
  await sql`
    insert into new_values (site_key, day, kind, taken)
    select key, (${new Date(now).toISOString()}::timestamptz at time zone 'UTC')::date - n, kind, 1000000
    from sites, generate_series(0, 3) n, unnest(${full}::text[]) kind
    where id = ${siteId}`;
  await deliverAndSeal(sql, { siteId, now }, batches, seals);
  const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
  return { ctx, funnelId, input: { siteId, range: { period }, tier } };
}

/** Every figure of all reports that adds up, by report and name. */
async function figuresOf({ ctx, funnelId, input }: Asked, filters: readonly Filter[]) {
  const asked = { ...input, filters };
  const list = { ...asked, limit: ALL };
  const figures = new Map<string, number>();
  const note = (report: string, of: object) => {
    for (const [name, figure] of Object.entries(of))
      if (typeof figure === 'number' && ADD_UP.includes(name)) figures.set(`${report} ${name}`, figure);
  };
  const { data: overview } = await reportOverview(ctx, asked);
  note('overview', overview);
  note('overview, visits', overview.tiers?.visits ?? {});
  note('overview, pageviews', overview.tiers?.pageviews ?? {});
  for (const { time, ...point } of (await reportTimeseries(ctx, { ...asked, interval: 'day' })).data)
    note(`timeseries ${time}`, point);
  for (const { path, ...row } of (await reportPages(ctx, { ...list, sort: 'reach' })).data)
    note(`pages ${path}`, row);
  for (const edge of ['entry', 'exit'] as const)
    for (const { path, ...row } of (await reportEdgePages(ctx, { ...list, edge })).data)
      note(`${edge}-pages ${path}`, row);
  for (const dimension of LISTED)
    for (const { value, ...row } of (await reportVisitValues(ctx, { ...list, dimension })).data)
      note(`${dimension} ${value}`, row);
  for (const { name, revenue, ...row } of (await reportCustomEvents(ctx, list)).data) {
    note(`events ${name}`, row);
    for (const { currency, amount } of revenue) figures.set(`events ${name} ${currency}`, Number(amount));
  }
  for (const name of EVENTS)
    for (const { key, ...row } of (await reportEventProps(ctx, { ...list, name })).data)
      note(`props ${name} ${key}`, row);
  for (const { key, ...row } of (await reportPageProps(ctx, list)).data) note(`page-props ${key}`, row);
  for (const { name, revenue, ...row } of (await reportGoals(ctx, asked)).data) {
    note(`goals ${name}`, row);
    for (const { currency, amount } of revenue) figures.set(`goals ${name} ${currency}`, Number(amount));
  }
  for (const [n, row] of (await reportFunnel(ctx, { ...asked, funnelId })).data.steps.entries())
    note(`funnel ${n}`, row);
  for (const { pages, ...row } of (await reportJourneys(ctx, list)).data)
    note(`journeys ${pages.join(' ')}`, row);
  if (!('period' in input.range) || input.range.period !== '24h')
    for (const { week, visitors, returned } of (await reportRetention(ctx, list)).data)
      for (const [n, count] of [visitors, ...returned].entries())
        figures.set(`retention ${week} ${n}`, count ?? 0);
  return { figures, visitors: overview.visitors };
}
const ADD_UP = [
  ...['visits', 'pageviews', 'events', 'conversions', 'journeys'],
  ...['anonymousCounts', 'anonymousSessions', 'consented'],
];

const withoutZeros = (figures: Iterable<[string, number]>) =>
  Object.fromEntries([...figures].filter(([, figure]) => figure !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));

const sum = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>) =>
  [...new Set([...one.keys(), ...other.keys()])].map((name): [string, number] => [
    name,
    (one.get(name) ?? 0) + (other.get(name) ?? 0),
  ]);

/** The rows of the list that shows what a filter names, as the filter's values. */
async function rowsOf({ ctx, input }: Asked, by: (typeof FILTERED)[number], filters: readonly Filter[]) {
  const list = { ...input, filters, limit: ALL };
  const named = <Row extends object>(rows: readonly Row[], nameOf: (row: Row) => string) =>
    new Map(rows.map((row) => [nameOf(row), row as object]));
  switch (by.dimension) {
    case 'page':
      return named((await reportPages(ctx, { ...list, sort: 'reach' })).data, ({ path }) => path);
    case 'entry_page':
    case 'exit_page': {
      const edge = by.dimension === 'entry_page' ? 'entry' : 'exit';
      return named((await reportEdgePages(ctx, { ...list, edge })).data, ({ path }) => path);
    }
    case 'goal':
      return named(
        (await reportGoals(ctx, list)).data.map(({ conversionRate: _, exact: __, ...row }) => row),
        ({ name }) => name,
      );
    case 'prop': {
      const { key } = by as { key: string };
      const rows = (await reportEventProps(ctx, { ...list, name: 'signup', key })).data;
      return named(rows, ({ value }) => value ?? '');
    }
    default:
      return named(
        (await reportVisitValues(ctx, { ...list, dimension: by.dimension as Dimension })).data,
        ({ value }) => value,
      );
  }
}

/** A visit has several of these, so the filtered list has other rows too. */
const SEVERAL: readonly (FilterDimension | 'prop')[] = ['page', 'goal', 'prop'];

describe.each(FILTERED.map((by) => [Object.values(by).join(' '), by] as const))('by %s', (_, by) => {
  test('a filter and its negation add up, and a row’s value keeps the row', async () => {
    const { sql } = database();
    await fc.assert(
      fc.asyncProperty(drawnSite, drawnFilterBy(by), async (site, drawn) => {
        const asked = await fill(sql, site);
        const { others } = site;
        const all = await figuresOf(asked, others);
        const filter = drawn.operator === 'contains' ? { ...drawn, operator: 'is' as const } : drawn;
        const kept = await figuresOf(asked, [...others, filter]);
        const negation = {
          ...filter,
          operator: filter.operator === 'is' ? ('not' as const) : ('is' as const),
        };
        const left = await figuresOf(asked, [...others, negation]);
        expect(withoutZeros(sum(kept.figures, left.figures))).toEqual(withoutZeros(all.figures));
        expect(kept.visitors + left.visitors).toBeGreaterThanOrEqual(all.visitors);
        expect(Math.max(kept.visitors, left.visitors)).toBeLessThanOrEqual(all.visitors);

        for (const [value, row] of await rowsOf(asked, by, others)) {
          const is: Filter = { ...by, operator: 'is', values: [value] };
          const rows = await rowsOf(asked, by, [...others, is]);
          expect([value, rows.get(value)]).toEqual([value, row]);
          if (!SEVERAL.includes(by.dimension)) expect(rows.size).toBe(1);
        }
      }),
      { numRuns: Math.ceil(ORACLE_RUNS / 33), endOnFailure: true },
    );
  }, 600_000);
});
