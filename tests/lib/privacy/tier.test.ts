import { describe, expect, test } from 'vitest';
import type { SitePolicy } from '../../../lib/privacy/policy.ts';
import { readSignals } from '../../../lib/privacy/signals.ts';
import { decideTier, type TierAnswer } from '../../../lib/privacy/tier.ts';
import { type Cell, GPC, INSIDE, OUTSIDE, type Row, TABLE, UNKNOWN } from './tier-table.ts';

const CONSENTS = [undefined, 'denied', 'granted'] as const;
const COUNTRIES: Record<Row['territory'], readonly (string | undefined)[]> = {
  inside: INSIDE,
  outside: OUTSIDE,
  unknown: UNKNOWN,
};
const ANSWERS: Record<Cell, TierAnswer> = {
  '0g': { maxTier: 0, stop: 'gpc' },
  '0p': { maxTier: 0, stop: 'policy' },
  '0pd': { maxTier: 0, stop: 'policy', cap: 'dnt' },
  '1': { maxTier: 1 },
  '1d': { maxTier: 1, cap: 'dnt' },
  '2': { maxTier: 2 },
  '3': { maxTier: 3 },
};

function policyOf(name: string): SitePolicy['privacy'] {
  if (name === 'none') return null;
  const [consentMode, preConsentTier] = name.split(' ');
  return { consentMode, preConsentTier } as NonNullable<SitePolicy['privacy']>;
}

test('the table holds every policy and territory once', () => {
  const modes = ['required', 'regional'].flatMap((mode) =>
    ['off', 'counts', 'sessions'].map((tier) => `${mode} ${tier}`),
  );
  const expected = ['none', ...modes].flatMap((policy) =>
    Object.keys(COUNTRIES).map((territory) => `${policy} ${territory}`),
  );
  expect(TABLE.map((row) => `${row.policy} ${row.territory}`).sort()).toEqual(expected.sort());
});

describe.each(TABLE)('policy $policy, visitor $territory', (row) => {
  const policy = policyOf(row.policy);
  test.each(COUNTRIES[row.territory].map((country) => [country]))('country %s', (country) => {
    for (const [index, consent] of CONSENTS.entries()) {
      const ask = (gpc: boolean, dnt: boolean) => decideTier({ policy, consent, gpc, dnt, country });
      expect(ask(false, false)).toStrictEqual(ANSWERS[row.plain[index] ?? '']);
      expect(ask(false, true)).toStrictEqual(ANSWERS[row.dnt[index] ?? '']);
      expect(ask(true, false)).toStrictEqual(ANSWERS[GPC]);
      expect(ask(true, true)).toStrictEqual(ANSWERS[GPC]);
    }
  });
});

test('only the exact value 1 is a signal', () => {
  expect(readSignals(new Headers({ 'Sec-GPC': '1', DNT: '1' }))).toEqual({ gpc: true, dnt: true });
  for (const value of ['0', 'true', 'yes', '1, 1', '1;', '11', '', 'null', 'unspecified']) {
    expect(readSignals(new Headers({ 'Sec-GPC': value, DNT: value }))).toEqual({ gpc: false, dnt: false });
  }
  expect(readSignals(new Headers())).toEqual({ gpc: false, dnt: false });
});
