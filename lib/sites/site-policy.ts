/** The policy of a site, for collection and for members. */
import * as v from 'valibot';
import { memberSite, requireRole } from '../access.ts';
import type { MemberContext, Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { Id } from '../fields.ts';
import type { Role } from '../roles.ts';
import type { OneSite, PrivacyPolicy } from './schemas.ts';
import { type PolicyColumns, toPrivacy } from './site.ts';

export interface SitePolicyAnswer {
  siteId: string;
  domain: string;
  domains: string[];
  privacy: PrivacyPolicy | null;
}

interface PolicyRow extends PolicyColumns {
  domain: string;
  domains: string[];
}

/**
 * By the site's id, otherwise by an alias. Only for the service's own functions, so it checks no membership. Throws `NOT_FOUND`. Reads one
 * row by primary keys.
 */
export async function getSitePolicy(
  ctx: Pick<Ports, 'sql'>,
  { site }: { site: string },
): Promise<SitePolicyAnswer> {
  const id = v.is(Id, site) ? site : null;
  const rows = await reach(ctx.sql`
    select id, domain, domains, jurisdiction, consent_mode, pre_consent_tier, retention_months
    from sites
    where id = coalesce(
      (select id from sites where id = ${id}::uuid), (select site_id from site_aliases where alias = ${site}))
  `);
  const [row] = rows as (PolicyRow & { id: string })[];
  if (row === undefined) throw notFound('site');
  return toAnswer(row.id, row);
}

/** The policy of a site that the caller may change. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys. */
export async function getOwnPolicy(ctx: MemberContext, { siteId }: OneSite): Promise<SitePolicyAnswer> {
  const rows = await reach(ctx.sql`
    select sites.domain, domains, jurisdiction, consent_mode, pre_consent_tier, retention_months, target.role
    from sites join (${memberSite(ctx, siteId)}) target on target.id = sites.id
  `);
  const row = requireRole<PolicyRow & { role: Role }>(rows, { what: 'site' });
  return toAnswer(siteId, row);
}

const toAnswer = (siteId: string, row: PolicyRow): SitePolicyAnswer => ({
  siteId,
  domain: row.domain,
  domains: row.domains,
  privacy: toPrivacy(row),
});
