/** The sites and environments that a query token opens, for agents, who know names rather than ids (docs/mcp.md#names). */
import { joinEnvironmentAccess, joinPerson, joinSiteAccess } from '../access.ts';
import type { ActorOf, Context } from '../context.ts';
import { reachToRead } from '../db.ts';
import type { Role } from '../roles.ts';
import { normaliseDomain } from '../sites/domain.ts';

type TokenContext = Context<ActorOf<'queryToken'>>;

export interface OpenedSite {
  id: string;
  domain: string;
  name: string;
  timezone: string;
  projectId: string;
  /** The project's name. */
  project: string;
  role: Role;
}

export interface OpenedEnvironment {
  id: string;
  name: string;
  projectId: string;
  /** The project's name. */
  project: string;
  role: Role;
  /** Whether anything was ever received. */
  receives: boolean;
}

interface Asked {
  /** Matched with ids, names and domains in upper or lower case. Matches come first. */
  named?: string | null | undefined;
  limit: number;
}

/** Whether the row is what the caller named. Without a name every row is. */
type Named<Row> = Row & { named: boolean };

/** What a name may stand for: itself, and the host of an address in its stored form, `xn--` for `bücher.example`. */
export function namesOf(named: string): string[] {
  const host = normaliseDomain(
    named
      .replace(/^[a-z]+:\/\//i, '')
      .replace(/[:/?#].*$/s, '')
      .trim(),
  );
  return [named.toLowerCase(), ...(host === undefined ? [] : [host])];
}

/**
 * At most `limit` sites that the token opens: first those named, then the oldest. Reads `project_members` by primary key, then each
 * project's sites by the index `sites_project`; the cost grows with the person's sites.
 */
export async function findOpenedSites(
  { sql, actor }: TokenContext,
  { named, limit }: Asked,
): Promise<Named<OpenedSite>[]> {
  const names = named == null ? null : namesOf(named);
  const rows = await reachToRead(sql`
    select site.id, site.domain, site.name, site.timezone, project.id as "projectId", project.name as project, access.role,
      (${names}::text[] is null or ${names}::text[] && array[site.id::text, site.domain, lower(site.name)]
        or ${names}::text[] && site.domains) as named
    from sites site
    join projects project on project.id = site.project_id
    ${joinSiteAccess(sql, actor)}
    order by named desc, site.created_at, site.id
    limit ${limit}
  `);
  return rows as Named<OpenedSite>[];
}

/**
 * At most `limit` environments that the token opens: first those named by id, name or `project/name`, then the oldest. Uses the index
 * `environments_project`; the cost grows with the person's environments.
 */
export async function findOpenedEnvironments(
  { sql, actor }: TokenContext,
  { named = null, limit }: Asked,
): Promise<Named<OpenedEnvironment>[]> {
  const rows = await reachToRead(sql`
    select environment.id, environment.name, project.id as "projectId", project.name as project, access.role,
      exists (select from telemetry_connections c where c.environment_key = environment.key)
        or exists (select from telemetry_receipts r where r.environment_key = environment.key) as receives,
      (${named}::text is null
        or lower(${named}) in (environment.id::text, lower(environment.name), lower(project.name || '/' || environment.name))) as named
    from environments environment
    join projects project on project.id = environment.project_id
    ${joinEnvironmentAccess(sql, actor)}
    order by named desc, environment.created_at, environment.id
    limit ${limit}
  `);
  return rows as Named<OpenedEnvironment>[];
}

/** The oldest project that the token opens as a whole; undefined if it opens none, or single sites only. Reads the person's projects. */
export async function findOpenedProject({ sql, actor }: TokenContext): Promise<string | undefined> {
  const [row] = await reachToRead(sql`
    select project.id from projects project ${joinPerson(sql, actor, { project: sql`project.id` })}
    order by project.created_at, project.id limit 1
  `);
  return row?.id;
}
