import type { AuditedContext } from '../audit.ts';
import type { Sql } from '../db.ts';
import type { PolicyCopies } from '../privacy/policy-copies.ts';
import type { PrivacyPolicy, Resumming, Site } from './schemas.ts';

/** Maximum sites of an answer. */
export const MAX_LISTED = 10_000;

export interface SitesContext extends AuditedContext {
  /** The address that browsers use, without a final slash. */
  publicUrl: string;
}

/** For verbs that change what collection reads of a site. */
export interface PolicyContext extends SitesContext {
  copies: PolicyCopies;
}

export interface SiteRow {
  id: string;
  project_id: string;
  domain: string;
  domains: string[];
  aliases: string[];
  name: string;
  timezone: string;
  /** Null: nothing is summed again. Absent in lists. */
  resumming?: Resumming | null;
  jurisdiction: PrivacyPolicy['jurisdiction'] | null;
  consent_mode: PrivacyPolicy['consentMode'] | null;
  pre_consent_tier: PrivacyPolicy['preConsentTier'] | null;
  retention_months: number | null;
  created_at: Date;
  updated_at: Date;
}

/** Part of other statements: the aliases of a site, in their order. Uses the index `site_aliases_site`. */
export const aliasesOf = (sql: Sql, siteId: ReturnType<Sql>): ReturnType<Sql> =>
  sql`array(select alias from site_aliases where site_id = ${siteId} order by alias) as aliases`;

/**
 * Part of other statements: how far a row of `sites` is summed again after a change of its zone, or null. Only days count that could be sealed
 * when the zone changed (`days_to_seal`): a day that had just ended isn't waited for. Seals begin with the oldest day, so that all days before
 * `sealed_to` are done. Uses primary keys.
 */
export const resummingOf = (sql: Sql, site: ReturnType<Sql>): ReturnType<Sql> => sql`
  (
    select jsonb_build_object('timezone', coalesce(${site}.next_timezone, ${site}.timezone), 'done', done, 'of', greatest(0, last_day - first_day))
    from site_freshness f
    left join site_seals s using (site_key)
    cross join lateral (
      select (f.first_event_at at time zone ${site}.timezone)::date as first_day,
        least(
          ((closed_before(coalesce(${site}.zone_changed_at, now())) - interval '5 minutes') at time zone ${site}.timezone)::date,
          (f.last_event_at at time zone ${site}.timezone)::date + 1
        ) as last_day
    ) days
    cross join lateral (
      select case when ${site}.next_timezone is null then greatest(0, coalesce(s.sealed_to - first_day, 0)) else 0 end as done
    ) progress
    where f.site_key = ${site}.key
      and (${site}.next_timezone is not null or ${site}.zone_changed_at is not null and done < last_day - first_day)
  ) as resumming`;

/** A site's policy columns: either all set or all null. */
export type PolicyColumns = Pick<
  SiteRow,
  'jurisdiction' | 'consent_mode' | 'pre_consent_tier' | 'retention_months'
>;

export function toPrivacy(row: PolicyColumns): PrivacyPolicy | null {
  const { jurisdiction, consent_mode, pre_consent_tier, retention_months } = row;
  if (
    jurisdiction === null ||
    consent_mode === null ||
    pre_consent_tier === null ||
    retention_months === null
  ) {
    return null;
  }
  return {
    jurisdiction,
    consentMode: consent_mode,
    preConsentTier: pre_consent_tier,
    retentionMonths: retention_months,
  };
}

export function toSite(ctx: SitesContext, row: SiteRow): Site {
  return {
    id: row.id,
    domain: row.domain,
    domains: row.domains,
    aliases: row.aliases,
    name: row.name,
    jurisdiction: row.jurisdiction,
    projectId: row.project_id,
    timezone: row.timezone,
    ...(row.resumming && { resumming: row.resumming }),
    privacy: toPrivacy(row),
    snippet: `<script defer src="${ctx.publicUrl}/tracker.js" data-site="${row.id}"></script>`,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
