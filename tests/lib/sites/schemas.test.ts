import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ChangeSite, CreateSite, PrivacyPolicy } from '../../../lib/sites/schemas.ts';

const accepts = (schema: v.GenericSchema, input: unknown) => v.safeParse(schema, input).success;
const policy = { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'counts', retentionMonths: 25 };
const site = { domain: 'example.com', name: 'Example' };

describe('a privacy policy', () => {
  test.each(Object.keys(policy))('needs %s', (field) => {
    expect(accepts(PrivacyPolicy, { ...policy, [field]: undefined })).toBe(false);
    expect(
      accepts(PrivacyPolicy, Object.fromEntries(Object.entries(policy).filter(([key]) => key !== field))),
    ).toBe(false);
  });
  test.each([
    ['retentionMonths', 1, true],
    ['retentionMonths', 25, true],
    ['retentionMonths', 0, false],
    ['retentionMonths', 26, false],
    ['retentionMonths', -1, false],
    ['retentionMonths', 1.5, false],
    ['retentionMonths', '12', false],
    ['retentionMonths', null, false],
    ['retentionMonths', 1e308, false],
    ['consentMode', 'regional', true],
    ['consentMode', 'Required', false],
    ['consentMode', '', false],
    ['preConsentTier', 'off', true],
    ['preConsentTier', 'sessions', true],
    ['preConsentTier', 0, false],
    ['jurisdiction', 'US', true],
    ['jurisdiction', 'pt', false],
    ['jurisdiction', 'UK', false],
    ['jurisdiction', 'EL', false],
    ['jurisdiction', 'EU', false],
    ['jurisdiction', 'XX', false],
    ['jurisdiction', 'AN', false],
    ['jurisdiction', 'PRT', false],
    ['jurisdiction', '', false],
    ['unknown', true, false],
  ])('with %s %s is accepted: %s', (field, value, accepted) => {
    expect(accepts(PrivacyPolicy, { ...policy, [field]: value })).toBe(accepted);
  });
  test.each([
    ['UK', 'GB'],
    ['EL', 'GR'],
  ])('%s gets the hint %s', (code, hint) => {
    const { issues } = v.safeParse(PrivacyPolicy, { ...policy, jurisdiction: code });
    expect(issues?.map(({ message }) => message).join()).toContain(hint);
  });
});

describe('a new site', () => {
  test.each([
    [site, true],
    [{ ...site, timezone: 'Europe/Lisbon', jurisdiction: 'PT' }, true],
    [{ ...site, timezone: 'America/Argentina/Buenos_Aires' }, true],
    [{ ...site, timezone: 'Etc/GMT+5' }, true],
    [{ ...site, timezone: 'Europe/Nowhere' }, false],
    [{ ...site, timezone: '+01:00' }, false],
    [{ ...site, timezone: '' }, false],
    [{ ...site, timezone: "UTC'" }, false],
    [{ ...site, timezone: null }, false],
    [{ ...site, projectId: '1' }, false],
    [{ ...site, name: '' }, false],
    [{ ...site, name: '   ' }, false],
    [{ ...site, name: 'x'.repeat(100) }, true],
    [{ ...site, name: 'x'.repeat(101) }, false],
    [{ ...site, id: '1' }, false],
    [{ domain: 'example.com' }, false],
    [{ name: 'Example' }, false],
    [{ ...site, domain: 1 }, false],
  ])('%j is accepted: %s', (input, accepted) => {
    expect(accepts(CreateSite, input)).toBe(accepted);
  });
  test('is normalised', () => {
    expect(v.parse(CreateSite, { domain: 'EXAMPLE.com.', name: ' Example ' })).toEqual({
      ...site,
      domains: [],
      timezone: 'UTC',
    });
  });
});

test('name and domains of a site change, and at least one of them', () => {
  const siteId = crypto.randomUUID();
  expect(accepts(ChangeSite, { siteId, name: 'New' })).toBe(true);
  expect(accepts(ChangeSite, { siteId })).toBe(false);
  expect(accepts(ChangeSite, { siteId, timezone: 'UTC' })).toBe(true);
  expect(accepts(ChangeSite, { siteId, timezone: 'Mars/Olympus' })).toBe(false);
  expect(accepts(ChangeSite, { siteId, name: 'New', jurisdiction: 'PT' })).toBe(false);
  expect(
    v.parse(ChangeSite, { siteId, domain: 'Example.COM', domains: ['b.test', 'A.test.', 'b.test'] }),
  ).toEqual({
    siteId,
    domain: 'example.com',
    domains: ['b.test', 'a.test'],
  });
  for (const domain of ['https://example.com', 'example.com/a', 'example.com:8080', 'com', ''])
    for (const change of [{ domain }, { domains: ['a.test', domain] }])
      expect([change, accepts(ChangeSite, { siteId, ...change })]).toEqual([change, false]);
  const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}.test`);
  expect(accepts(ChangeSite, { siteId, domains: [] })).toBe(true);
  expect(accepts(ChangeSite, { siteId, domains: many(20) })).toBe(true);
  expect(accepts(ChangeSite, { siteId, domains: many(21) })).toBe(false);
});
