/** The policy of a site, for collection and for members. */
import * as v from 'valibot';
import { memberSite, requireRole } from '../access.ts';
import type { MemberContext, Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { Id } from '../fields.ts';
import type { PolicyCopies, PolicyVersion } from '../privacy/policy-copies.ts';
import type { Role } from '../roles.ts';
import type { OneSite, PrivacyPolicy, Site } from './schemas.ts';
import { aliasesOf, type PolicyColumns, type SiteRow, toPrivacy } from './site.ts';

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
 * row by primary keys, and its aliases by the index `site_aliases_site`.
 */
export async function getSitePolicy(
  ctx: Pick<Ports, 'sql'>,
  { site }: { site: string },
): Promise<PolicyVersion & { policy: SitePolicyAnswer }> {
  const id = v.is(Id, site) ? site : null;
  const rows = await reach(ctx.sql`
    select
      id, domain, domains, jurisdiction, consent_mode, pre_consent_tier, retention_months, updated_at,
      ${aliasesOf(ctx.sql, ctx.sql`sites.id`)}
    from sites
    where id = coalesce(
      (select id from sites where id = ${id}::uuid), (select site_id from site_aliases where alias = ${site}))
  `);
  const [row] = rows as (PolicyRow & Pick<SiteRow, 'id' | 'aliases' | 'updated_at'>)[];
  if (row === undefined) throw notFound('site');
  return { policy: toAnswer(row.id, row), aliases: row.aliases, version: row.updated_at.getTime() };
}

/** The same of a site that a verb has just saved. */
export const versionOf = ({ id, domain, domains, privacy, aliases, updatedAt }: Site): PolicyVersion => ({
  policy: { siteId: id, domain, domains, privacy },
  aliases,
  version: Date.parse(updatedAt),
});

/**
 * Saves what a site's policy says and replaces its copy. Nobody who may not change the site touches the copy. Throws the errors of
 * `getOwnPolicy` and `UNAVAILABLE` before anything is saved.
 */
export async function savePolicy(
  ctx: MemberContext & { copies: PolicyCopies },
  siteId: string,
  save: () => Promise<Site>,
): Promise<Site> {
  await getOwnPolicy(ctx, { siteId });
  await ctx.copies.withhold(siteId);
  const saved = await save();
  await ctx.copies.replace(versionOf(saved));
  return saved;
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
