/** The state of a site's page and its address. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FILTER_DIMENSIONS } from '../../lib/analytics/reading/filters.ts';
import { STACKED } from '../../lib/visits/dimensions.ts';
import {
  askedOf,
  byProperty,
  COMPARISONS,
  comparedOf,
  DIMENSIONS,
  DRAWN,
  datesOf,
  PERIODS,
  propertyOf,
  readSegment,
  readSiteQuery,
  type SiteQuery,
  SPLITS,
  writeSegment,
  writeSiteQuery,
} from '../../web/app/state/site-query.ts';

const text = fc.string({ unit: fc.constantFrom('|', '!', '~', '\\', '&', '=', 'é', ' ', 'a'), minLength: 1 });
const dimension = fc.oneof(fc.constantFrom(...DIMENSIONS), text.map(byProperty));
const FILTER = {
  operator: fc.constantFrom('is', 'not', 'contains'),
  values: fc.array(text, { minLength: 1, maxLength: 4 }),
};
const filter = fc.record({ dimension, ...FILTER });
const query: fc.Arbitrary<SiteQuery> = fc.record({
  period: fc.oneof(fc.constantFrom(...PERIODS), fc.constant({ from: '2026-11-01', to: '2026-11-20' })),
  compare: fc.oneof(
    fc.constantFrom(undefined, ...COMPARISONS),
    fc.constant({ from: '2026-10-01', to: '2026-10-20' }),
  ),
  metric: fc.constantFrom(...DRAWN),
  by: fc.constantFrom(undefined, ...SPLITS),
  interval: fc.constantFrom(undefined, 'hour', 'day'),
  segment: fc.option(fc.uuid(), { nil: undefined }),
  filters: fc.uniqueArray(filter, { selector: (one) => one.dimension, maxLength: 4 }),
});

test('an address keeps the whole state', () => {
  fc.assert(fc.property(query, (state) => void expect(readSiteQuery(writeSiteQuery(state))).toEqual(state)));
});

test('each dimension of the API can be chosen', () => {
  expect([...DIMENSIONS].sort()).toEqual([...FILTER_DIMENSIONS, 'privacy_tier'].sort());
});

test('each split of the chart is one of the API', () => {
  expect(STACKED).toEqual(expect.arrayContaining([...SPLITS]));
});

test('the API is asked what the address says', () => {
  const state = readSiteQuery(
    '?from=2026-11-01&to=2026-11-02&filter_page=%21%2Fa%5C%7Cb&filter_prop_plan=pro',
  );
  expect(askedOf('s', state, 'UTC', 0)).toEqual({
    siteId: 's',
    from: '2026-11-01',
    to: '2026-11-02',
    filter_page: '!/a\\|b',
    filter_prop_plan: 'pro',
  });
});

test.each([
  'filter_colour=red',
  'filter_page=',
  'filter_page=|',
  'period=ever',
  'from=2026-11-01',
  'compare=ever',
  'compare=2026-11-01',
])('what can’t be read is left out: %s', (search) => {
  expect(readSiteQuery(`?${search}`)).toEqual(readSiteQuery(''));
});

// 23:30 of 29 February in UTC is 1 March in Lisbon’s summer only, so it is still the 29th there.
test.each([
  ['today', '2028-02-29', '2028-02-29'],
  ['yesterday', '2028-02-28', '2028-02-28'],
  ['24h', '2028-02-28', '2028-02-29'],
  ['7d', '2028-02-23', '2028-02-29'],
  ['28d', '2028-02-02', '2028-02-29'],
  ['30d', '2028-01-31', '2028-02-29'],
  ['90d', '2027-12-02', '2028-02-29'],
  ['week', '2028-02-28', '2028-02-29'],
  ['last_week', '2028-02-21', '2028-02-27'],
  ['month', '2028-02-01', '2028-02-29'],
  ['last_month', '2028-01-01', '2028-01-31'],
  ['year', '2028-01-01', '2028-02-29'],
  ['12m', '2027-03-01', '2028-02-29'],
  ['all', '2026-01-30', '2028-02-29'],
] as const)('the days of %s are %s to %s', (period, from, to) => {
  expect(datesOf(period, 'Europe/Lisbon', Date.parse('2028-02-29T23:30:00Z'))).toEqual({ from, to });
});

test('periods of the API are asked by their names, others by their days', () => {
  const asked = (period: string) => askedOf('s', readSiteQuery(`?period=${period}`), 'Asia/Tokyo', 0);
  expect(asked('7d')).toEqual({ siteId: 's', period: '7d' });
  expect(asked('28d')).toEqual({ siteId: 's', from: '1969-12-05', to: '1970-01-01' });
});

test.each([
  ['week', { from: '2026-11-23', to: '2026-11-28' }, '2026-11-16..2026-11-21'],
  ['last_week', { from: '2026-11-16', to: '2026-11-22' }, '2026-11-09..2026-11-15'],
  ['month', { from: '2026-11-01', to: '2026-11-28' }, '2026-10-01..2026-10-28'],
  ['28d', { from: '2026-11-01', to: '2026-11-28' }, 'previous'],
] as const)('before %s is what the calendar has before it', (period, dates, before) => {
  const query = readSiteQuery(`?period=${period}&compare=previous`);
  expect(comparedOf(query, { siteId: 's', ...dates })).toBe(before);
});

test('a segment has the filters of the page', () => {
  const own = dimension.filter((one) => one !== 'privacy_tier');
  const some = fc.uniqueArray(fc.record({ ...FILTER, dimension: own }), {
    selector: (one) => one.dimension,
    maxLength: 4,
  });
  fc.assert(
    fc.property(some, (filters) => {
      expect(readSegment(writeSegment(filters))).toEqual(filters);
    }),
  );
  const tier = [{ dimension: 'privacy_tier', operator: 'is', values: ['3'] }] as const;
  expect(writeSegment(tier)).toEqual({ privacy_tier: 3 });
  expect(readSegment({ privacy_tier: 3 })).toEqual(tier);
});

test('a property is distinguished from a dimension', () => {
  expect(propertyOf(byProperty('plan'))).toBe('plan');
  expect(propertyOf('page')).toBeUndefined();
});
