/** What collection needs of a site. */
import { memberSite, requireRole } from '../access.ts';
import type { MemberContext, Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Role } from '../projects/schemas.ts';
import type { OneSite, PrivacyPolicy } from './schemas.ts';
import { type PolicyColumns, toPrivacy } from './site.ts';

export interface SitePolicyAnswer {
  siteId: string;
  domain: string;
  privacy: PrivacyPolicy | null;
}

/** For functions of ours alone, so nobody's membership is asked. Throws `NOT_FOUND`. One row by primary key. */
export async function getSitePolicy(ctx: Pick<Ports, 'sql'>, { siteId }: OneSite): Promise<SitePolicyAnswer> {
  const rows = await reach(ctx.sql`
    select domain, jurisdiction, consent_mode, pre_consent_tier, retention_months from sites where id = ${siteId}
  `);
  const [row] = rows as ({ domain: string } & PolicyColumns)[];
  if (row === undefined) throw notFound('site');
  return { siteId, domain: row.domain, privacy: toPrivacy(row) };
}

/** Of a site that the caller may change. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys. */
export async function getOwnPolicy(ctx: MemberContext, { siteId }: OneSite): Promise<SitePolicyAnswer> {
  const rows = await reach(ctx.sql`
    select sites.domain, jurisdiction, consent_mode, pre_consent_tier, retention_months, target.role
    from sites join (${memberSite(ctx, siteId)}) target on target.id = sites.id
  `);
  const row = requireRole<{ domain: string; role: Role } & PolicyColumns>(rows, { what: 'site' });
  return { siteId, domain: row.domain, privacy: toPrivacy(row) };
}
