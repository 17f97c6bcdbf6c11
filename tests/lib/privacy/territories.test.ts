import { expect, test } from 'vitest';
import { isCountry } from '../../../lib/privacy/countries.ts';
import { mayBeRegional, requiresConsent } from '../../../lib/privacy/territories.ts';
import { INSIDE, OUTSIDE, UNKNOWN } from './tier-table.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

test('249 codes are assigned, Kosovo has one of its own, and they are those that the runtime can name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const assigned = pairs.filter(isCountry);
  expect(assigned).toHaveLength(250);
  expect(assigned.filter((code) => names.of(code) === undefined)).toEqual([]);
});

test.each(['UK', 'EL', 'EU', 'XX', 'AP', 'ZZ', 'AN', 'SU', 'de', '', 'DEU', 'D'])(
  '%s is no country',
  (code) => {
    expect(isCountry(code)).toBe(false);
  },
);

test('a visitor from Kosovo is no visitor of unknown country', () => {
  expect([isCountry('XK'), requiresConsent('XK'), mayBeRegional('XK')]).toEqual([true, false, true]);
});

test('an owner may choose regional everywhere but in the territories', () => {
  expect(pairs.filter((code) => isCountry(code) && !mayBeRegional(code)).sort()).toEqual([...INSIDE].sort());
});

test('a visitor is asked inside the territories and where nobody knows', () => {
  expect(INSIDE.filter((code) => !requiresConsent(code))).toEqual([]);
  expect(UNKNOWN.filter((code) => !requiresConsent(code))).toEqual([]);
  expect(OUTSIDE.filter(requiresConsent)).toEqual([]);
});
