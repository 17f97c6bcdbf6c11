/** What a report is asked: rules between fields, and the form in which the verb takes them. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Filters, filtersOf } from '../../../../lib/analytics/reading/report-inputs.ts';
import { reportNamed } from '../../../../lib/analytics/reports.ts';
import { DomainError } from '../../../../lib/errors.ts';
import { check } from '../../../../lib/http/issues.ts';

const siteId = '1b9e4f70-3c2d-4e5f-8a6b-9c0d1e2f3a4b';
const read = (report: string, asked: object) => check(reportNamed(report).input, { siteId, ...asked });

function detailsOf(report: string, asked: object) {
  try {
    return { read: read(report, asked) };
  } catch (error) {
    if (error instanceof DomainError) return error.details;
    throw error;
  }
}

const dates = (from: string, to: string) => ({ from, to });
/** 25 months, and a day more. */
const LONGEST = dates('2024-01-01', '2026-01-31');
const LONGER = dates('2024-01-01', '2026-02-01');
const COMPARE = 'must be previous, weekdays, year, or two dates like 2026-01-01..2026-01-31 within 25 months';
const BY_HOUR = 'must not be hour for more than 31 days';
const COMPARED_BY_HOUR = 'must not be more than 31 days by hour';

test.each<[string, object, string, string]>([
  ['overview', { from: '2026-01-01' }, 'to', 'must come with `from`'],
  ['overview', { to: '2026-01-01' }, 'from', 'must come with `to`'],
  ['overview', { to: '2026-01-01', period: '7d' }, 'from', 'must come with `to`'],
  [
    'overview',
    { ...dates('2026-01-01', '2026-01-02'), period: '7d' },
    'period',
    'must not come with `from` and `to`',
  ],
  ['overview', dates('2026-01-02', '2026-01-01'), 'to', 'must not be before `from`'],
  ['overview', LONGER, 'to', 'must be within 25 months of `from`'],
  ['overview', dates('2026-02-30', '2026-03-01'), 'from', 'must be a date like 2026-11-21'],
  ['overview', { period: '1d' }, 'period', 'must be one of "24h", "7d", "30d", "90d"'],
  ['overview', { compare: 'before' }, 'compare', COMPARE],
  ['overview', { compare: '2026-01-01' }, 'compare', COMPARE],
  ['overview', { compare: '2026-01-01..' }, 'compare', COMPARE],
  ['overview', { compare: '..2026-01-01' }, 'compare', COMPARE],
  ['overview', { compare: '2026-01-02..2026-01-01' }, 'compare', COMPARE],
  ['overview', { compare: '2026-01-01..2026-01-02..2026-01-03' }, 'compare', COMPARE],
  ['overview', { compare: '2024-01-01..2026-02-01' }, 'compare', COMPARE],
  ['heatmap', { compare: 'year' }, 'compare', 'is not a known field'],
  ['heatmap', { segment: 'mine' }, 'segment', 'must be a UUID'],
  ['timeseries', { period: '90d', interval: 'hour' }, 'interval', BY_HOUR],
  ['timeseries', { ...dates('2026-01-01', '2026-02-01'), interval: 'hour' }, 'interval', BY_HOUR],
  [
    'timeseries',
    { ...dates('2026-01-02', '2025-11-01'), interval: 'hour' },
    'to',
    'must not be before `from`',
  ],
  [
    'timeseries',
    { period: '7d', interval: 'hour', compare: '2026-01-01..2026-02-01' },
    'compare',
    COMPARED_BY_HOUR,
  ],
  ['timeseries', { period: '24h', compare: '2026-01-01..2026-02-01' }, 'compare', COMPARED_BY_HOUR],
  ['timeseries', { limit: 3 }, 'limit', 'must come with `by`'],
  ['timeseries', { by: 'city', limit: 11 }, 'limit', 'must be a whole number from 1 to 10'],
  ['pages', { sort: 'conversions' }, 'sort', 'must be conversions only with `goal`'],
  ['sources', { sort: 'conversionRate' }, 'sort', 'must be conversionRate only with `goal`'],
  ['entry-pages', { sort: 'conversionRate' }, 'sort', 'must be conversionRate only with `goal`'],
  ['utm', { by: 'term', sort: 'conversions' }, 'sort', 'must be conversions only with `goal`'],
  ['pages', { goal: '' }, 'goal', 'must not be empty'],
  ['pages', { goal: 'g'.repeat(201) }, 'goal', 'must have at most 200 characters'],
  ['pages', { search: '' }, 'search', 'must not be empty'],
  ['pages', { search: 's'.repeat(201) }, 'search', 'must have at most 200 characters'],
  ['pages', { limit: 101 }, 'limit', 'must be a whole number from 1 to 100'],
  ['retention', dates('2026-01-01', '2026-04-02'), 'to', 'must be within 13 weeks of `from`'],
  ['vitals', { minMeasured: 0 }, 'minMeasured', 'must be a whole number from 1 to 1000000'],
  [
    'visit-quality',
    { by: 'device', minVisits: 1_000_001 },
    'minVisits',
    'must be a whole number from 1 to 1000000',
  ],
  ['event-props', { name: '' }, 'name', 'must not be empty'],
  ['event-props', { name: 'n'.repeat(65) }, 'name', 'must have at most 64 characters'],
  ['page-props', { key: '' }, 'key', 'must not be empty'],
  ['page-props', { key: 'k'.repeat(65) }, 'key', 'must have at most 64 characters'],
  ['journeys', { start: '' }, 'start', 'must not be empty'],
  ['journeys', { end: 'e'.repeat(1025) }, 'end', 'must have at most 1024 characters'],
  ['associations', { page: '' }, 'page', 'must not be empty'],
  ['dropped', { filters: {} }, 'filters', 'is not a known field'],
  ['live', { filters: { page: '/a' } }, 'filters.page', 'is not a known field'],
  ['live', { period: '24h' }, 'period', 'is not a known field'],
  ['engagement', { filters: { colour: 'red' } }, 'filters.colour', 'is not a known field'],
])('%# %s refuses %o: %s %s', (report, asked, path, message) => {
  expect(detailsOf(report, asked)).toEqual([{ path, message }]);
});

test.each(['device', 'goal', 'prop_plan'])('a sum by page says why it has no filter by %s', (name) => {
  expect(detailsOf('engagement', { filters: { [name]: 'x' } })).toEqual([
    {
      path: `filters.${name}`,
      message: expect.stringMatching(/^is no filter of this report: .*`filter_page`/),
    },
  ]);
});

const month = { range: { period: '30d' }, filters: [] };
const list = { ...month, limit: 10 };

test.each<[string, object, object]>([
  ['dropped', {}, { range: { period: '30d' } }],
  ['dropped', LONGEST, { range: LONGEST }],
  ['heatmap', { period: '24h', segment: siteId }, { ...month, range: { period: '24h' }, segment: siteId }],
  ['overview', dates('2026-01-01', '2026-01-01'), { ...month, range: dates('2026-01-01', '2026-01-01') }],
  ['overview', { compare: 'weekdays' }, { ...month, compare: 'weekdays' }],
  [
    'overview',
    { compare: '2024-01-01..2026-01-31' },
    { ...month, compare: dates('2024-01-01', '2026-01-31') },
  ],
  [
    'overview',
    { compare: '2026-01-01..2026-01-01' },
    { ...month, compare: dates('2026-01-01', '2026-01-01') },
  ],
  ['live', {}, {}],
  ['live', { filters: { privacy_tier: 2 }, segment: siteId }, { tier: 2, segment: siteId }],
  ['timeseries', {}, { ...month, interval: 'day' }],
  ['timeseries', { period: '24h' }, { ...month, range: { period: '24h' }, interval: 'hour' }],
  ['timeseries', { period: '24h', interval: 'day' }, { ...month, range: { period: '24h' }, interval: 'day' }],
  ['timeseries', { interval: 'hour' }, { ...month, interval: 'hour' }],
  [
    'timeseries',
    { ...dates('2026-01-01', '2026-01-31'), interval: 'hour', compare: '2026-03-01..2026-03-31' },
    {
      ...month,
      range: dates('2026-01-01', '2026-01-31'),
      interval: 'hour',
      compare: dates('2026-03-01', '2026-03-31'),
    },
  ],
  [
    'timeseries',
    { period: '24h', interval: 'day', compare: '2026-01-01..2026-12-31' },
    { ...month, range: { period: '24h' }, interval: 'day', compare: dates('2026-01-01', '2026-12-31') },
  ],
  [
    'timeseries',
    { period: '90d', interval: 'month', compare: 'year' },
    { ...month, range: { period: '90d' }, interval: 'month', compare: 'year' },
  ],
  ['timeseries', { by: 'tier' }, { ...month, interval: 'day', stack: { by: 'tier', limit: 5 } }],
  ['timeseries', { by: 'city', limit: 10 }, { ...month, interval: 'day', stack: { by: 'city', limit: 10 } }],
  ['pages', {}, { ...list, sort: 'reach' }],
  ['pages', { sort: 'conversions', goal: 'Signed up' }, { ...list, sort: 'conversions', goal: 'Signed up' }],
  [
    'pages',
    { sort: 'conversionRate', filters: { goal: 'Signed up' } },
    {
      ...list,
      sort: 'conversionRate',
      filters: [{ dimension: 'goal', operator: 'is', values: ['Signed up'] }],
    },
  ],
  ['entry-pages', { limit: 100 }, { ...list, limit: 100, sort: 'visits' }],
  ['sources', { search: 'o' }, { ...list, sort: 'visits', search: 'o' }],
  ['utm', { by: 'term' }, { ...list, sort: 'visits', by: 'term' }],
  ['vitals', {}, { ...list, group: 'page', sort: 'measured', minMeasured: 1 }],
  [
    'vitals',
    { by: 'site', sort: 'lcp', minMeasured: 1_000_000 },
    { ...list, group: 'site', sort: 'lcp', minMeasured: 1_000_000 },
  ],
  ['visit-quality', { by: 'exit_page' }, { ...list, by: 'exit_page', sort: 'visits', minVisits: 1 }],
  [
    'engagement',
    { filters: { page: '!/a', privacy_tier: 3 } },
    { ...list, tier: 3, filters: [{ dimension: 'page', operator: 'not', values: ['/a'] }] },
  ],
  ['event-props', { name: 'n'.repeat(64) }, { ...list, name: 'n'.repeat(64) }],
  ['page-props', { key: 'k'.repeat(64) }, { ...list, key: 'k'.repeat(64) }],
  ['journeys', { start: '/', end: '/b' }, { ...list, start: '/', end: '/b' }],
  ['associations', { page: '/' }, { ...list, page: '/' }],
  ['retention', dates('2026-01-01', '2026-04-01'), { ...list, range: dates('2026-01-01', '2026-04-01') }],
  ['retention', { period: '90d' }, { ...list, range: { period: '90d' } }],
  ['goals', { compare: 'previous', search: 'up' }, { ...month, compare: 'previous', search: 'up' }],
  ['funnels', { funnelId: siteId }, { ...month, funnelId: siteId }],
])('%# %s takes %o', (report, asked, expected) => {
  expect(detailsOf(report, asked)).toEqual({ read: { siteId, ...expected } });
});

test('filters come in one order, whatever theirs was', () => {
  const filters = v.parse(Filters, {
    prop_b: 'x',
    goal: '~up',
    page: '/a|/b',
    privacy_tier: 1,
    prop_a: '!y',
    device: 'tv',
  });
  expect(filtersOf({ filters })).toEqual({
    tier: 1,
    filters: [
      { dimension: 'device', operator: 'is', values: ['tv'] },
      { dimension: 'page', operator: 'is', values: ['/a', '/b'] },
      { dimension: 'goal', operator: 'contains', values: ['up'] },
      { dimension: 'prop', key: 'a', operator: 'not', values: ['y'] },
      { dimension: 'prop', key: 'b', operator: 'is', values: ['x'] },
    ],
  });
  expect(filtersOf({})).toEqual({ tier: undefined, filters: [] });
});
