/** The privacy report at the boundary. */
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
  applies: v.pipe(v.array(Sentence), v.description('To whom, by the site’s policy.')),
  stored: v.array(
    v.object({
      what: v.string(),
      purpose: v.string(),
      kept: v.pipe(v.string(), v.description('For how long.')),
    }),
  ),
  browserStorage: v.pipe(
    v.array(v.object({ key: v.string(), days: v.number() })),
    v.description(
      'What is kept in the visitor’s browser, in `localStorage`, and for how many days. Never a cookie.',
    ),
  ),
  personalData: PersonalData,
  why: v.pipe(v.string(), v.description('Why it is personal data, or isn’t.')),
});
export type CollectedTier = v.InferOutput<typeof CollectedTier>;

export const PrivacyReport = v.object({
  language: Language,
  policy: v.nullable(PrivacyPolicy),
  tiers: v.array(CollectedTier),
  text: v.pipe(
    v.string(),
    v.description(
      'All of it in words for a privacy notice, as Markdown that begins with a heading of level 2.',
    ),
  ),
});
export type PrivacyReport = v.InferOutput<typeof PrivacyReport>;
