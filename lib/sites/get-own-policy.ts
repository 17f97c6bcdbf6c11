import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Role } from '../projects/schemas.ts';
import type { SitePolicyAnswer } from './get-site-policy.ts';
import { memberSite } from './member-site.ts';
import { type PolicyColumns, toPrivacy, viewersOnlyRead } from './site.ts';

/**
 * What collection needs of a site that the caller may change. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by
 * primary keys.
 */
export async function getOwnPolicy(ctx: MemberContext, siteId: string): Promise<SitePolicyAnswer> {
  const rows = await reach(ctx.sql`
    select sites.domain, jurisdiction, consent_mode, pre_consent_tier, retention_months, target.role
    from sites join (${memberSite(ctx, siteId)}) target on target.id = sites.id
  `);
  const [row] = rows as ({ domain: string; role: Role } & PolicyColumns)[];
  if (row === undefined) throw notFound('site');
  if (row.role === 'viewer') throw viewersOnlyRead();
  return { siteId, domain: row.domain, privacy: toPrivacy(row) };
}
