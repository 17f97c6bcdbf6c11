/** Schemas of the privacy report. */
import * as v from 'valibot';
import { Id } from '../fields.ts';
import { Language } from '../languages.ts';
import { PrivacyPolicy } from '../sites/schemas.ts';

export const ReportPrivacy = v.strictObject({ siteId: Id, language: v.optional(Language, 'en') });
export type ReportPrivacy = v.InferOutput<typeof ReportPrivacy>;

export const PersonalData = v.pipe(
  v.picklist(['no', 'temporarily', 'yes']),
  v.description('`temporarily`: until the day’s key is deleted.'),
);
export type PersonalData = v.InferOutput<typeof PersonalData>;

const Sentence = v.string();

export const CollectedTier = v.object({
  tier: v.pipe(
    v.picklist([0, 1, 2, 3]),
    v.description('0 nothing, 1 anonymous counts, 2 anonymous sessions, 3 consented.'),
  ),
  name: v.string(),
  applies: v.pipe(v.array(Sentence), v.description('The visitors at this tier, by the site’s policy.')),
  stored: v.array(
    v.object({
      what: v.string(),
      purpose: v.string(),
      kept: v.pipe(v.string(), v.description('How long it is kept.')),
    }),
  ),
  browserStorage: v.pipe(
    v.array(v.object({ key: v.string(), days: v.number() })),
    v.description('Items in the visitor’s `localStorage`, each with its days. There are no cookies.'),
  ),
  personalData: PersonalData,
  why: v.pipe(v.string(), v.description('Why it is or isn’t personal data.')),
});
export type CollectedTier = v.InferOutput<typeof CollectedTier>;

export const PrivacyReport = v.object({
  language: Language,
  policy: v.nullable(PrivacyPolicy),
  tiers: v.array(CollectedTier),
  text: v.pipe(
    v.string(),
    v.description(
      'The whole report in words for a privacy notice, as Markdown that begins with a heading of level 2.',
    ),
  ),
});
export type PrivacyReport = v.InferOutput<typeof PrivacyReport>;
