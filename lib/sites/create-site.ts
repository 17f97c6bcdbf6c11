import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import type { NewSite, PrivacyPolicy, Site } from './schemas.ts';
import { type SiteRow, type SitesContext, toSite, viewersOnlyRead } from './site.ts';
import { refuseUnknownZone } from './unknown-zone.ts';
import type { Written } from './written.ts';

const MAX_SITES_A_PROJECT = 1000;

/** What a site with an owner's country starts with (docs/sites.md#fields-of-a-site). */
const STARTING_POLICY: Omit<PrivacyPolicy, 'jurisdiction'> = {
  consentMode: 'required',
  preConsentTier: 'counts',
  retentionMonths: 25,
};

/**
 * Makes a site, in the caller's oldest own project if none is named. Throws `NOT_FOUND` for somebody else's project,
 * `FORBIDDEN` for viewers, `CONFLICT` when the project is full.
 */
export async function createSite(ctx: SitesContext, input: NewSite): Promise<Site> {
  const rows = await refuseUnknownZone(reach(insertSite(ctx, input)));
  const [row] = rows as Written<SiteRow>[];
  if (row === undefined) throw input.projectId === undefined ? noOwnProject() : notFound('project');
  if (row.role === 'viewer') throw viewersOnlyRead();
  if (row.id === null) throw projectFull();
  return toSite(ctx, row);
}

/**
 * Looks the project up by `project_members`' primary key and counts its sites by the index `sites_project`, at most
 * `MAX_SITES_A_PROJECT` rows. `at time zone` fails for a zone that this database doesn't know.
 */
function insertSite(ctx: SitesContext, input: NewSite) {
  const projectId = input.projectId ?? null;
  const jurisdiction = input.jurisdiction ?? null;
  const policy = jurisdiction === null ? null : STARTING_POLICY;
  return ctx.sql`
    with target as (
      select member.project_id, member.role
      from project_members member
      join projects on projects.id = member.project_id
      where member.user_id = ${ctx.actor.userId}
        and (member.project_id = ${projectId}::uuid or (${projectId}::uuid is null and member.role = 'owner'))
      order by projects.created_at, projects.id
      limit 1
    ), made as (
      insert into sites
        (project_id, domain, name, timezone, jurisdiction, consent_mode, pre_consent_tier, retention_months)
      select
        target.project_id, ${input.domain}, ${input.name}, ${input.timezone}, ${jurisdiction},
        ${policy?.consentMode ?? null}, ${policy?.preConsentTier ?? null}, ${policy?.retentionMonths ?? null}::smallint
      from target
      where target.role in ('owner', 'admin')
        and (now() at time zone ${input.timezone}) is not null
        and (select count(*) from sites where project_id = target.project_id) < ${MAX_SITES_A_PROJECT}
      returning *
    )
    select target.role, made.* from target left join made on true
  `;
}

const noOwnProject = (): DomainError =>
  new DomainError('FORBIDDEN', 'You own no project. Name one that you administrate by `projectId`.');

const projectFull = (): DomainError =>
  new DomainError(
    'CONFLICT',
    `A project holds at most ${MAX_SITES_A_PROJECT} sites. Delete one or use another project.`,
  );
