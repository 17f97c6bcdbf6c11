import { expect, test } from 'vitest';
import { describePlace } from '../../../lib/collection/describe-place.ts';

test.each([[undefined], ['XX'], ['T1'], ['portugal'], ['']])(
  'country %j is left out, and all below it',
  (country) => {
    expect(describePlace({ country, regionCode: '13', city: 'Porto' }, 3)).toEqual({});
  },
);

test.each([
  ['13', 'PT-13'],
  ['ENG', 'PT-ENG'],
  ['', undefined],
  ['port', undefined],
  ['PORT', undefined],
  ['É', undefined],
  ['1-2', undefined],
  [undefined, undefined],
])('region %j of Portugal is %s', (regionCode, region) => {
  expect(describePlace({ country: 'PT', regionCode }, 2).region).toBe(region);
});

test('a city is bounded and tidy', () => {
  const cityOf = (city: string) => describePlace({ country: 'PT', city }, 2).city;
  expect(cityOf(' São\u0000Tomé ')).toBe('São Tomé');
  expect(cityOf('x'.repeat(96))).toHaveLength(96);
  expect(cityOf('x'.repeat(97))).toHaveLength(96);
  expect(cityOf('\n')).toBeUndefined();
});

test('tier 1 holds the country alone', () => {
  expect(describePlace({ country: 'PT', regionCode: '13', city: 'Porto' }, 1)).toEqual({ country: 'PT' });
});
