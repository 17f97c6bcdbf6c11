/** Sites: members create, read, change and delete them. Each verb is one statement and finds the site by primary keys. */

import {
  joinNewSiteAccess,
  joinSiteAccess,
  lesserRole,
  MANAGERS,
  memberSite,
  requireRole,
  requireWritten,
  type Written,
} from '../access.ts';
import { requireProof } from '../accounts/proofs.ts';
import { type AuditedContext, insertAudit, insertNewSiteAudit, insertSiteAudit } from '../audit.ts';
import { reach, refuseTaken, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { mayBeRegional } from '../privacy/territories.ts';
import { inTurn, turnOfProjects } from '../turns.ts';
import { changeZone } from './change-zones.ts';
import type { ChangeSite, CreateSite, OneSite, PrivacyPolicy, ReplacePrivacy, Site } from './schemas.ts';
import {
  aliasesOf,
  MAX_LISTED,
  type PolicyContext,
  resummingOf,
  type SiteRow,
  type SitesContext,
  toSite,
} from './site.ts';
import { savePolicy } from './site-policy.ts';
import { refuseUnknownZone } from './unknown-zone.ts';

const MAX_SITES_A_PROJECT = 1000;

const TAKEN = 'An alias is that of another site, or the domain of another project’s site.';

/** A site with more visits gets its new time zone by the cron. */
const VISITS_AT_ONCE = 100_000;

/** Maximum rows of a site that are deleted before the answer: less than half a second of work. */
const ROWS_AT_ONCE = 10_000;

/** The first policy of a site whose owner's country is known. */
const STARTING_POLICY: Omit<PrivacyPolicy, 'jurisdiction'> = {
  consentMode: 'required',
  preConsentTier: 'counts',
  retentionMonths: 25,
};

/**
 * All sites that the caller may see, oldest first. Reads `project_members` by primary key, then each project's sites by the index
 * `sites_project`; the cost grows with the listed sites. With their summaries: lib/analytics/series/site-summaries.ts.
 */
export async function listSites(ctx: SitesContext): Promise<Site[]> {
  const rows = await reach(ctx.sql`
    select site.*, ${aliasesOf(ctx.sql, ctx.sql`site.id`)}
    from sites site ${joinSiteAccess(ctx.sql, ctx.actor)}
    order by site.created_at, site.id
    limit ${MAX_LISTED}
  `);
  return (rows as SiteRow[]).map((row) => toSite(ctx, row));
}

/** One site of a project that the caller is a member of. Throws `NOT_FOUND`, also for other people's sites. */
export async function getSite(ctx: SitesContext, { siteId }: OneSite): Promise<Site> {
  const rows = await reach(ctx.sql`
    select sites.*, ${aliasesOf(ctx.sql, ctx.sql`sites.id`)}, ${resummingOf(ctx.sql, ctx.sql`sites`)}
    from sites join (${memberSite(ctx, siteId)}) target on target.id = sites.id
  `);
  const [row] = rows as SiteRow[];
  if (row === undefined) throw notFound('site');
  return toSite(ctx, row);
}

/**
 * Creates a site, by default in the oldest project that the caller owns. Throws `NOT_FOUND` for an unknown project, `FORBIDDEN` for
 * viewers, `CONFLICT` for a full project. Finds the project by the primary key of `project_members`, counts sites by the index
 * `sites_project`. `at time zone` fails if the database lacks the zone.
 */
export async function createSite(ctx: SitesContext, input: CreateSite): Promise<Site> {
  const { projectId = null, jurisdiction = null } = input;
  const policy = jurisdiction === null ? null : STARTING_POLICY;
  const target = ctx.sql`
    select project.id as project_id, access.role
    from projects project ${joinNewSiteAccess(ctx.sql, ctx.actor)}
    where project.id = ${projectId}::uuid or (${projectId}::uuid is null and access.role = 'owner')
    order by project.created_at, project.id
    limit 1`;
  const rows = await refuseUnknownZone(
    inTurn(
      ctx.sql,
      [turnOfProjects(ctx.sql, target)],
      ctx.sql`
      with target as (${target}), made as (
        insert into sites
          (project_id, domain, domains, name, timezone, jurisdiction, consent_mode, pre_consent_tier, retention_months)
        select
          target.project_id, ${input.domain}, array_remove(${input.domains}::text[], ${input.domain}), ${input.name},
          ${input.timezone}, ${jurisdiction},
          ${policy?.consentMode ?? null}, ${policy?.preConsentTier ?? null}, ${policy?.retentionMonths ?? null}::smallint
        from target
        where target.role in ('owner', 'admin')
          and (now() at time zone ${input.timezone}) is not null
          and (select count(*) from sites where project_id = target.project_id) < ${MAX_SITES_A_PROJECT}
        returning *
      ), audited as (${insertNewSiteAudit(ctx)})
      select target.role, made.*, '{}'::text[] as aliases from target left join made on true
    `,
    ),
  );
  const [row] = rows as Written<SiteRow>[];
  if (row === undefined) throw projectId === null ? noOwnProject() : notFound('project');
  if (row.role === 'viewer') throw lesserRole(MANAGERS);
  if (row.id === null) throw projectFull();
  return toSite(ctx, row);
}

/**
 * Changes name, domains, aliases and time zone of a site, those that are given; collection uses new ones within 5 minutes. What visits are
 * stored with stays: those without a host of their own came to `first_domain`. An alias leads events to the site, so nobody may take the
 * domain of another project's site. Throws `CONFLICT` for such an alias and for one of another site, `NOT_FOUND`, or `FORBIDDEN` for
 * viewers. With aliases the cost grows with all sites: it reads their domains. With a time zone it grows with the site's visits, up to
 * `VISITS_AT_ONCE`; the zone of a larger site is changed by `changeZones`.
 */
export async function changeSite(ctx: PolicyContext, change: ChangeSite): Promise<Site> {
  const { siteId, name: _, timezone, ...collected } = change;
  const isCollected = Object.values(collected).some((value) => value !== undefined);
  const write = () => writeSite(ctx, change);
  const site = await (isCollected ? savePolicy(ctx, siteId, write) : write());
  if (timezone === undefined) return site;
  await reach(changeZone(ctx, siteId, VISITS_AT_ONCE));
  return getSite(ctx, { siteId });
}

async function writeSite(ctx: SitesContext, { siteId, ...change }: ChangeSite): Promise<Site> {
  const { name = null, domain = null, domains = null, aliases = null, timezone = null } = change;
  const query = reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), taken as (
      select alias
      from target cross join unnest(${aliases}::text[]) alias
      where exists (select from site_aliases other where other.alias = alias.alias and other.site_id <> target.id)
        or exists (
          select from sites other
          where other.project_id <> target.project_id and (other.domain = alias.alias or alias.alias = any (other.domains))
        )
    ), changed as (
      update sites
      set
        name = coalesce(${name}, name),
        domain = coalesce(${domain}, domain),
        domains = array_remove(coalesce(${domains}::text[], domains), coalesce(${domain}, domain)),
        first_domain = coalesce(first_domain, case when domain <> ${domain} then domain end),
        next_timezone = nullif(coalesce(${timezone}, next_timezone), timezone),
        updated_at = ${nextVersion(ctx.sql)}
      from target
      where sites.id = target.id and target.role in ('owner', 'admin') and not exists (select from taken)
        and (${timezone}::text is null or (now() at time zone ${timezone}) is not null)
      returning sites.*
    ), gone as (
      delete from site_aliases old using changed where old.site_id = changed.id and old.alias <> all (${aliases}::text[])
    ), added as (
      insert into site_aliases (alias, site_id)
      select alias, changed.id
      from changed cross join unnest(${aliases}::text[]) alias
      where not exists (select from site_aliases old where old.site_id = changed.id and old.alias = alias.alias)
    ), audited as (${insertSiteAudit(ctx, 'site.change', ctx.sql`changed`)})
    select
      target.role, changed.*,
      coalesce(
        (select array_agg(alias order by alias) from unnest(${aliases}::text[]) alias),
        case when ${aliases}::text[] is null
          then (select array_agg(alias order by alias) from site_aliases where site_id = target.id) end,
        '{}'
      ) as aliases, ${resummingOf(ctx.sql, ctx.sql`changed`)}
    from target left join changed on true
  `);
  const rows = await refuseUnknownZone(refuseTaken(query, TAKEN));
  const refused = () => new DomainError('CONFLICT', TAKEN);
  return toSite(ctx, requireWritten<SiteRow>(rows, { what: 'site', refused }));
}

/**
 * Replaces a site's whole privacy policy; collection uses the new one within 5 minutes. Throws `REGIONAL_NOT_ALLOWED` if the owner's
 * country forbids `regional`, `NOT_FOUND`, or `FORBIDDEN` for viewers.
 */
export async function replacePrivacy(ctx: PolicyContext, input: ReplacePrivacy): Promise<Site> {
  if (input.consentMode === 'regional' && !mayBeRegional(input.jurisdiction)) throw regionalNotAllowed();
  return savePolicy(ctx, input.siteId, () => writePrivacy(ctx, input));
}

async function writePrivacy(ctx: SitesContext, { siteId, ...policy }: ReplacePrivacy): Promise<Site> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), changed as (
      update sites
      set
        jurisdiction = ${policy.jurisdiction},
        consent_mode = ${policy.consentMode},
        pre_consent_tier = ${policy.preConsentTier},
        retention_months = ${policy.retentionMonths}::smallint,
        updated_at = ${nextVersion(ctx.sql)}
      from target
      where sites.id = target.id and target.role in ('owner', 'admin')
      returning sites.*
    ), audited as (${insertSiteAudit(ctx, 'privacy.replace', ctx.sql`changed`)})
    select target.role, changed.*, ${aliasesOf(ctx.sql, ctx.sql`target.id`)} from target left join changed on true
  `);
  return toSite(ctx, requireWritten<SiteRow>(rows, { what: 'site' }));
}

/**
 * Deletes a site with all of its data, after a fresh proof (`requireProof`); nobody can find it from now on. For a large site `continueDeletions` deletes the rest. Throws
 * `NOT_FOUND`, or `FORBIDDEN` for viewers. Writes the audit log in the same statement. The cost grows with the site's rows, up to
 * `ROWS_AT_ONCE`.
 */
export async function deleteSite(
  ctx: AuditedContext & Pick<PolicyContext, 'copies'>,
  { siteId }: OneSite,
): Promise<void> {
  await requireProof(ctx);
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), audited as (${insertAudit(ctx, 'site.delete', null)})
    select target.role, case when target.role in ('owner', 'admin')
      then delete_site(target.id, ${new Date(ctx.now()).toISOString()}::timestamptz, ${ROWS_AT_ONCE}::integer)::text end as deleted
    from target
  `);
  requireRole(rows, { what: 'site' });
  // Events of a site that is gone are left out anyway, so a copy that Redis still has does no harm.
  await ctx.copies.withhold(siteId).catch(() => {});
}

/** Versions of a site only rise, also of two changes at once: the second one waits for the first and sees its version. */
const nextVersion = (sql: Sql): ReturnType<Sql> =>
  sql`greatest(now(), sites.updated_at + interval '1 millisecond')`;

const noOwnProject = (): DomainError =>
  new DomainError(
    'FORBIDDEN',
    'You own no project, or your API key may not add sites to it. Name one that you administrate by `projectId`.',
  );

const projectFull = (): DomainError =>
  new DomainError(
    'CONFLICT',
    `A project holds at most ${MAX_SITES_A_PROJECT} sites. Delete one or use another project.`,
  );

const regionalNotAllowed = (): DomainError =>
  new DomainError(
    'REGIONAL_NOT_ALLOWED',
    'Owners established in the EEA, the UK, Gibraltar, the Channel Islands, the Isle of Man or Switzerland ' +
      'must require consent of every visitor: set `consentMode` to `required`.',
  );
