/** What `meta` says of a report, from the database's row about its range. */
import { describe, expect, test } from 'vitest';
import type { Filter } from '../../../../lib/analytics/reading/filters.ts';
import { type Asked, type ContextRow, toMeta } from '../../../../lib/analytics/reading/report-meta.ts';
import { NEW_VALUES } from '../../../../lib/visits/dimensions.ts';

const at = (date: string) => new Date(`${date}T00:00:00.000Z`);
const ROW: ContextRow = {
  ...{ timezone: 'Europe/Lisbon', from_at: at('2026-06-01'), to_at: at('2026-06-08') },
  ...{ observed_units: 0, elapsed_units: 168, tiers: null, dropped: null, other: null },
  ...{ first_event_at: null, last_event_at: null, folded_at: null, imported: null },
};
const ASKED: Asked = { siteId: 'site', evaluatedAt: '2026-06-09T00:00:00.000Z' };
const city: Filter = { dimension: 'city', operator: 'is', values: ['Porto', 'Faro'] };
const plan: Filter = { dimension: 'prop', key: 'plan', operator: 'not', values: ['pro'] };
const metaOf = (asked: Partial<Asked> = {}, row: Partial<ContextRow> = {}) =>
  toMeta({ ...ASKED, ...asked }, { ...ROW, ...row });

test('of a range in which nothing was observed', () => {
  expect(metaOf()).toEqual({
    scope: { siteId: 'site', filters: {} },
    range: { from: '2026-06-01T00:00:00.000Z', to: '2026-06-08T00:00:00.000Z', timezone: 'Europe/Lisbon' },
    coverage: {
      ...{ observed: false, since: null, tiers: [], observedShare: 0, imported: [] },
      dropped: { bot: 0, datacenter: 0, spam: 0, invalid: 0, hostname: 0, tier: 0, properties: 0 },
      other: Object.fromEntries(NEW_VALUES.map((kind) => [kind, 0])),
    },
    freshness: { lastEventAt: null, foldedAt: null, evaluatedAt: ASKED.evaluatedAt },
  });
});

test('of what was observed, refused and put together', () => {
  const { coverage, freshness } = metaOf(
    { isOfLoads: true },
    {
      observed_units: 84,
      tiers: [1, 3],
      dropped: { bot: 1, datacenter: 2, spam: 3, invalid: 4, hostname: 5, tier: 6, properties: 7 },
      other: { pages: 8, languages: 9 },
      ...{ first_event_at: at('2026-01-01'), last_event_at: at('2026-06-07'), folded_at: at('2026-06-08') },
      vitals_from: at('2026-02-01'),
    },
  );
  expect(coverage).toMatchObject({
    ...{ observed: true, since: '2026-01-01T00:00:00.000Z', tiers: [1, 3], observedShare: 0.5 },
    vitalsFrom: '2026-02-01T00:00:00.000Z',
    dropped: { bot: 1, datacenter: 2, spam: 3, invalid: 4, hostname: 5, tier: 6, properties: 7 },
    other: { pages: 8, events: 0, languages: 9 },
  });
  expect(freshness).toMatchObject({
    ...{ lastEventAt: '2026-06-07T00:00:00.000Z', foldedAt: '2026-06-08T00:00:00.000Z' },
  });
  expect(metaOf({ isOfLoads: true }).coverage).toHaveProperty('vitalsFrom', null);
  expect(metaOf({}, { vitals_from: at('2026-02-01') }).coverage).not.toHaveProperty('vitalsFrom');
});

test.each([
  [1, 3, 0.333],
  [2, 3, 0.667],
  [3, 3, 1],
  // An imported day counts whole, also if it isn't over.
  [24, 5, 1],
  [1, 0, 0],
  [1, -5, 0],
])('of %i hours with observations among %i, the share is %f', (observed_units, elapsed_units, share) => {
  expect(metaOf({}, { observed_units, elapsed_units }).coverage.observedShare).toBe(share);
});

test('filters by name, and those of a segment apart', () => {
  const is = { city: { operator: 'is', values: ['Porto', 'Faro'] } };
  const not = { prop_plan: { operator: 'not', values: ['pro'] } };
  expect(metaOf({ tier: 2, tiers: [2, 3], filters: [city, plan] }).scope).toEqual({
    ...{ siteId: 'site', tiers: [2, 3] },
    filters: { privacyTier: 2, ...is, ...not },
  });
  const within = { id: 'id', name: 'Mine', tier: 3 as const, filters: [plan], beside: { filters: [city] } };
  expect(metaOf({ tier: 3, filters: [city, plan], within }).scope).toEqual({
    ...{ siteId: 'site', filters: is },
    segment: { id: 'id', name: 'Mine', filters: { privacyTier: 3, ...not } },
  });
});

test('values that the site doesn’t have, before anything is near to them', () => {
  const unmatched = [{ filter: 'city', value: 'porto' }];
  expect(metaOf({ unmatched }).scope.unmatched).toEqual([
    { filter: 'city', value: 'porto', same: false, nearest: [] },
  ]);
  expect(metaOf({ unmatched: null }).scope).not.toHaveProperty('unmatched');
});

describe('imported days are counted', () => {
  const imported = [{ source: 'x', from: '2026-06-01', to: '2026-06-02', dimensions: ['country', 'page'] }];
  test.each<[Partial<Asked>, boolean]>([
    [{}, false],
    [{ imported: 'totals' }, true],
    [{ imported: 'totals', tier: 2 }, true],
    [{ imported: 'totals', tier: 1 }, false],
    [{ imported: 'totals', tier: 3 }, false],
    [{ imported: 'totals', filters: [city] }, false],
    [{ imported: 'totals', narrowing: {} }, false],
    [{ imported: 'country' }, true],
    [{ imported: 'city' }, false],
  ])('%# %o: %s', (asked, counted) => {
    expect(metaOf(asked, { imported }).coverage.imported).toEqual([
      { source: 'x', from: '2026-06-01', to: '2026-06-02', counted },
    ]);
  });
});
