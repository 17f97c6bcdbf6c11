/** A filter that is written is read as the same filter. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFilter, writeFilter } from '../../../../lib/analytics/reading/filter-text.ts';

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('|', '!', '~', '\\', 'a', ' ') }),
);
const filter = fc.record({
  operator: fc.constantFrom('is', 'not', 'contains'),
  values: fc.array(value, { minLength: 1, maxLength: 20 }),
});

test('what is written is read', () => {
  fc.assert(fc.property(filter, (written) => void expect(readFilter(writeFilter(written))).toEqual(written)));
});

test.each([
  ['is', ['a', 'b'], 'a|b'],
  ['not', ['a|b'], '!a\\|b'],
  ['contains', ['!a', '~'], '~\\!a|\\~'],
  ['is', ['a!b', 'c\\d'], 'a!b|c\\\\d'],
] as const)('%s %j', (operator, values, text) => {
  expect(writeFilter({ operator, values })).toBe(text);
});
