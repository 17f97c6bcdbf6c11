/** Several reports by one request: their names, and which of the common parameters each report gets. */
import { describe, expect, test } from 'vitest';
import { BATCHED, countAsked, ReportBatch } from '../../../lib/analytics/report-batch.ts';
import { DomainError } from '../../../lib/errors.ts';
import { check } from '../../../lib/http/issues.ts';

const siteId = '1b9e4f70-3c2d-4e5f-8a6b-9c0d1e2f3a4b';

function read(report: string[], fields: object = {}) {
  try {
    return check(ReportBatch, { siteId, report, ...fields });
  } catch (error) {
    if (error instanceof DomainError) return error.details;
    throw error;
  }
}

const NAME = 'must be the name of a report, `name:limit` or `name:limit:sort`';
const LIST = 'must have a limit only if it is a list';
const LIMIT = 'must have a limit from 1 to 100';
const SORT = 'must have only a sort that the list takes';
const FOREIGN = 'is no parameter of these reports';

test.each<[string[], object, string, string]>([
  [[''], {}, 'report.0', NAME],
  [['pages', 'nothing'], {}, 'report.1', NAME],
  [['utm'], {}, 'report.0', NAME],
  [['constructor'], {}, 'report.0', NAME],
  [['pages:1:visits:2'], {}, 'report.0', NAME],
  [['overview:1'], {}, 'report.0', LIST],
  [['pages:'], {}, 'report.0', LIMIT],
  [['pages:0'], {}, 'report.0', LIMIT],
  [['pages:101'], {}, 'report.0', LIMIT],
  [['pages:0001'], {}, 'report.0', LIMIT],
  [['pages:1e1'], {}, 'report.0', LIMIT],
  [['pages: 1'], {}, 'report.0', LIMIT],
  [['pages:1:'], {}, 'report.0', SORT],
  [['sources:1:reach'], {}, 'report.0', SORT],
  [['events:1:visits'], {}, 'report.0', SORT],
  [[], {}, 'report', 'must not be empty'],
  [Array.from({ length: 17 }, (_, n) => `utm_source:${n + 1}`), {}, 'report', 'must have at most 16 items'],
  [['pages', 'pages:3'], {}, 'report', 'must not name a report twice'],
  [['overview', 'pages'], { interval: 'day' }, 'interval', FOREIGN],
  [['utm_source', 'vitals'], { by: 'page' }, 'by', FOREIGN],
  [['pages'], { limit: 5 }, 'limit', FOREIGN],
  [['pages'], { cursor: 'x' }, 'cursor', FOREIGN],
  [['event-props'], { name: 'signup' }, 'name', FOREIGN],
  [['live'], { period: '1h' }, 'period', 'must be one of "24h", "7d", "30d", "90d"'],
  [['live'], { from: '2026-01-01' }, 'to', 'must come with `from`'],
  [['live'], { filters: { city: '' } }, 'filters.city', 'must be 1 to 20 values, none of them empty'],
])('%# %o with %o is refused by %s: %s', (report, fields, path, message) => {
  expect(read(report, fields)).toEqual([{ path, message }]);
});

test('sixteen reports, each with the fields that it has', () => {
  const filters = { city: 'Porto' };
  const names = [
    ...['overview', 'timeseries', 'live', 'dropped', 'pages:1', 'sources:100:visitors', 'utm_source:3'],
    ...['utm_term', 'vitals', 'vitals_site', 'event-props', 'funnels', 'journeys', 'goals', 'engagement'],
    'visit-quality',
  ];
  const fields = {
    period: '7d',
    filters,
    segment: siteId,
    compare: 'year',
    interval: 'day',
    by: 'device',
    sort: 'visits',
    event: 'signup',
    funnel: siteId,
    start: '/a',
  };
  const all = { siteId, period: '7d', filters, segment: siteId };
  const compared = { ...all, compare: 'year' };
  const sorted = { ...compared, sort: 'visits' };
  expect(read(names, fields)).toEqual({
    common: {
      siteId,
      range: { period: '7d' },
      tier: undefined,
      segment: siteId,
      filters: [{ dimension: 'city', operator: 'is', values: ['Porto'] }],
    },
    reports: [
      { name: 'overview', report: 'overview', fields: compared },
      { name: 'timeseries', report: 'timeseries', fields: { ...compared, interval: 'day', by: 'device' } },
      // It has no range. Its own check refuses the filter by city.
      { name: 'live', report: 'live', fields: { siteId, filters, segment: siteId } },
      // It has no filters: as unknown fields they are refused.
      {
        name: 'dropped',
        report: 'dropped',
        fields: { siteId, period: '7d', segment: siteId, filter_city: 'Porto' },
      },
      { name: 'pages', report: 'pages', fields: { ...sorted, limit: 1 } },
      { name: 'sources', report: 'sources', fields: { ...sorted, limit: 100, sort: 'visitors' } },
      { name: 'utm_source', report: 'utm', fields: { ...sorted, by: 'source', limit: 3 } },
      { name: 'utm_term', report: 'utm', fields: { ...sorted, by: 'term' } },
      { name: 'vitals', report: 'vitals', fields: { ...sorted, by: 'page' } },
      { name: 'vitals_site', report: 'vitals', fields: { ...sorted, by: 'site' } },
      { name: 'event-props', report: 'event-props', fields: { ...compared, name: 'signup' } },
      { name: 'funnels', report: 'funnels', fields: { ...all, funnelId: siteId } },
      { name: 'journeys', report: 'journeys', fields: { ...all, start: '/a' } },
      { name: 'goals', report: 'goals', fields: compared },
      { name: 'engagement', report: 'engagement', fields: compared },
      { name: 'visit-quality', report: 'visit-quality', fields: { ...all, sort: 'visits', by: 'device' } },
    ],
  });
});

test('a report without parameters has none', () => {
  expect(read(['dropped', 'live'])).toEqual({
    common: { siteId, range: { period: '30d' }, tier: undefined, filters: [] },
    reports: [
      { name: 'dropped', report: 'dropped', fields: { siteId } },
      { name: 'live', report: 'live', fields: { siteId } },
    ],
  });
});

describe('a batch', () => {
  test.each([
    ['', 1],
    ['report=overview', 2],
    ['report=overview,pages&report=live', 4],
    [`report=${'pages,'.repeat(40)}`, 17],
  ])('%s counts as %i readings', (query, count) => {
    expect(countAsked(new URLSearchParams(query))).toBe(count);
  });

  test('knows every report by name, and those with `by` once for each', () => {
    expect(BATCHED.get('pages')).toEqual({ report: 'pages', preset: {} });
    expect(BATCHED.get('vitals')).toEqual({ report: 'vitals', preset: { by: 'page' } });
    expect(BATCHED.get('vitals_utm_term')).toEqual({ report: 'vitals', preset: { by: 'utm_term' } });
    expect(BATCHED.get('utm_term')).toEqual({ report: 'utm', preset: { by: 'term' } });
    expect(BATCHED.has('utm')).toBe(false);
  });

  test('documents the fields of its reports, without paging', () => {
    const fields = Object.keys(ReportBatch.entries);
    expect(fields).toEqual(
      expect.arrayContaining(['siteId', 'report', 'filters', 'event', 'funnel', 'interval', 'minVisits']),
    );
    for (const name of ['limit', 'cursor', 'name', 'funnelId']) expect(fields).not.toContain(name);
  });
});
