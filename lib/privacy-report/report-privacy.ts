import { memberSite } from '../access.ts';
import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Language } from '../languages.ts';
import { type PolicyColumns, toPrivacy } from '../sites/site.ts';
import { collectedTiers } from './collected-tiers.ts';
import { english } from './english.ts';
import { portuguese } from './portuguese.ts';
import type { PrivacyReport, ReportPrivacy } from './schemas.ts';
import { spanish } from './spanish.ts';
import type { Wording } from './wording.ts';
import { writeNotice } from './write-notice.ts';

export const WORDINGS: Readonly<Record<Language, Wording>> = {
  en: english,
  es: spanish,
  'pt-PT': portuguese,
};

/**
 * What a site's policy collects at which tier, for how long, and which of it is personal data, in words for a privacy notice. Throws
 * `NOT_FOUND`. Reads one row by primary keys.
 */
export async function reportPrivacy(
  ctx: MemberContext,
  { siteId, language }: ReportPrivacy,
): Promise<PrivacyReport> {
  const rows = await reach(ctx.sql`
    select domain, jurisdiction, consent_mode, pre_consent_tier, retention_months
    from sites join (${memberSite(ctx, siteId)}) target on target.id = sites.id
  `);
  const [row] = rows as ({ domain: string } & PolicyColumns)[];
  if (row === undefined) throw notFound('site');
  const wording = WORDINGS[language];
  const policy = toPrivacy(row);
  const tiers = collectedTiers(policy, wording);
  return { language, policy, tiers, text: writeNotice({ domain: row.domain, policy, tiers }, wording) };
}
