/** The filters of a stored segment beside those of a request. */
import { expect, test } from 'vitest';
import type { Filter } from '../../../lib/analytics/reading/filters.ts';
import { reportNamed } from '../../../lib/analytics/reports.ts';
import { applySegment } from '../../../lib/analytics/segment-filters.ts';

const siteId = '1b9e4f70-3c2d-4e5f-8a6b-9c0d1e2f3a4b';
const city: Filter = { dimension: 'city', operator: 'is', values: ['Porto'] };
const page: Filter = { dimension: 'page', operator: 'not', values: ['/a'] };

const filtersOf = (report: string) => reportNamed(report).input.entries.filters;
const segment = (filters: object) => ({ id: siteId, name: 'Porto', filters });
const apply = (
  { filters, tier }: { filters?: Filter[]; tier?: 1 | 2 | 3 },
  stored: object | undefined,
  report = 'overview',
) => applySegment(filtersOf(report), { siteId, segment: siteId, tier, filters }, stored && segment(stored));

test('a request that names none has its own filters', () => {
  expect(apply({ tier: 2, filters: [city] }, undefined)).toEqual({ siteId, tier: 2, filters: [city] });
});

test.each<[string, Parameters<typeof apply>, object, object]>([
  ['no others', [{}, { city: 'Porto' }], { filters: [city] }, { filters: [city] }],
  ['other filters', [{ filters: [page] }, { city: 'Porto' }], { filters: [page, city] }, { filters: [city] }],
  ['a tier of its own', [{}, { privacy_tier: 3 }], { tier: 3, filters: [] }, { tier: 3, filters: [] }],
  [
    'a tier of the request',
    [{ tier: 3 }, { city: 'Porto' }],
    { tier: 3, filters: [city] },
    { filters: [city] },
  ],
  ['the same tier', [{ tier: 3 }, { privacy_tier: 3 }], { tier: 3, filters: [] }, { tier: 3, filters: [] }],
])('its filters hold beside %s', (_, asked, applied, own) => {
  const [{ tier, filters }] = asked;
  expect(apply(...asked)).toEqual({
    siteId,
    ...applied,
    within: { id: siteId, name: 'Porto', ...own, beside: { tier, filters } },
  });
});

const foreign = 'has a filter that this report doesn’t take';
test.each<[string, Parameters<typeof apply>, string]>([
  [
    'another tier',
    [{ tier: 2 }, { privacy_tier: 3 }],
    'has another `privacy_tier` than `filter_privacy_tier`',
  ],
  ['a sum by page', [{}, { city: 'Porto' }, 'engagement'], foreign],
  ['a report without filters', [{}, { privacy_tier: 3 }, 'dropped'], foreign],
  ['a filter that is gone', [{}, { colour: 'red' }], foreign],
])('%s is refused', (_, asked, message) => {
  expect(() => apply(...asked)).toThrow(
    expect.objectContaining({
      ...{ code: 'VALIDATION_ERROR', message: 'The request breaks the rules named in `details`.' },
      details: [{ path: 'segment', message }],
    }),
  );
});
