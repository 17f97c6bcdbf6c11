import { expect, test } from 'vitest';
import type { Language } from '../../../lib/languages.ts';
import { decideTier } from '../../../lib/privacy/tier.ts';
import { collectedTiers } from '../../../lib/privacy-report/collected-tiers.ts';
import { english } from '../../../lib/privacy-report/english.ts';
import { FACTS } from '../../../lib/privacy-report/facts.ts';
import { reportPrivacy, WORDINGS } from '../../../lib/privacy-report/report-privacy.ts';
import type { PrivacyPolicy } from '../../../lib/sites/schemas.ts';
import { useWorlds } from '../analytics/reports-world.ts';

const makeWorld = useWorlds();
const LANGUAGES: Language[] = ['en', 'es', 'pt-PT'];

const POLICIES: (PrivacyPolicy | null)[] = [
  null,
  ...(['required', 'regional'] as const).flatMap((consentMode) =>
    (['off', 'counts', 'sessions'] as const).map((preConsentTier) => ({
      jurisdiction: 'US',
      consentMode,
      preConsentTier,
      retentionMonths: 13,
    })),
  ),
];

test.each(POLICIES)('who is at which tier, by the policy %j, is what `track` decides', (policy) => {
  const { applies } = english;
  const asked = policy?.consentMode ?? 'nobody';
  const tiers = collectedTiers(policy, english);
  const tierOf = (sentence: string) =>
    tiers.filter((tier) => tier.applies.includes(sentence)).map(({ tier }) => tier);
  const decide = (of: Partial<Parameters<typeof decideTier>[0]>) =>
    decideTier({ policy, consent: undefined, gpc: false, dnt: false, country: 'BR', ...of }).maxTier;
  expect(tierOf(applies.gpc)).toEqual([decide({ gpc: true, consent: 'granted' })]);
  expect(tierOf(applies.dnt)).toEqual([decide({ dnt: true, consent: 'granted' })]);
  expect(tierOf(applies.withoutConsent[asked])).toEqual([decide({ consent: 'denied' })]);
  expect(tierOf(applies.withConsent[asked])).toEqual([decide({ consent: 'granted' })]);
  const silent = {
    required: applies.withoutConsent,
    regional: applies.withConsent,
    nobody: applies.withConsent,
  };
  expect(tierOf(silent[asked][asked])).toEqual([decide({})]);
  const inPortugal = {
    required: applies.withoutConsent,
    regional: applies.withoutConsent,
    nobody: applies.withConsent,
  };
  expect(tierOf(inPortugal[asked][asked])).toEqual([decide({ country: 'PT' })]);
});

test.each(LANGUAGES)('the text in %s tells all of it', async (language) => {
  const { ctx, siteId, sql } = await makeWorld();
  const wording = WORDINGS[language];
  const unsaved = await reportPrivacy(ctx(), { siteId, language });
  expect(unsaved).toMatchObject({ language, policy: null });
  expect(unsaved.text).toContain(wording.applies.withConsent.nobody);
  expect(unsaved.text).toContain(wording.kept.visits(null));

  await sql`
    update sites set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'sessions', retention_months = 7
    where id = ${siteId}`;
  const { policy, text, tiers } = await reportPrivacy(ctx(), { siteId, language });
  expect(policy).toEqual({
    jurisdiction: 'PT',
    consentMode: 'required',
    preConsentTier: 'sessions',
    retentionMonths: 7,
  });
  for (const { name, why, applies } of tiers)
    for (const phrase of [name, why, ...applies]) expect(text).toContain(phrase);
  for (const { id } of FACTS)
    expect(text).toContain(`| ${wording.facts[id].what} | ${wording.facts[id].purpose} |`);
  for (const phrase of [
    'example.com',
    wording.kept.visits(7),
    'vendorVisitor',
    '395',
    'Global Privacy Control',
    'Do Not Track',
  ])
    expect(text).toContain(phrase);
  expect(text).not.toMatch(/undefined|null|\[object|NaN/);
  expect(text).toMatch(/^## .+\n\n[^\n]/);
  expect(text.endsWith('\n')).toBe(true);
});

test('the languages say the same, each in its own words', () => {
  const texts = LANGUAGES.map((language) => JSON.stringify(collectedTiers(null, WORDINGS[language])));
  expect(new Set(texts).size).toBe(LANGUAGES.length);
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).sort();
  for (const language of LANGUAGES)
    expect(numbers(JSON.stringify(collectedTiers(POLICIES[2] ?? null, WORDINGS[language])))).toEqual(
      numbers(JSON.stringify(collectedTiers(POLICIES[2] ?? null, english))),
    );
});

test('nobody else’s site', async () => {
  const [mine, theirs] = [await makeWorld(), await makeWorld()];
  await expect(reportPrivacy(mine.ctx(), { siteId: theirs.siteId, language: 'en' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
