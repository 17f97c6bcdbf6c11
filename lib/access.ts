/**
 * What a caller may see and change. Every statement on data of a project begins with one of these joins, and every change ends with
 * `requireWritten`.
 */
import type { ActorOf, Context, MemberActor, MemberContext, ReaderActor, SessionContext } from './context.ts';
import type { Fragment, Sql } from './db.ts';
import { DomainError, notFound } from './errors.ts';
import type { Role } from './roles.ts';

/** Where a statement has the ids of what it selects. `site` is absent for what belongs to a project and to no site. */
interface IdColumns {
  project: Fragment;
  site?: Fragment;
}

/**
 * Part of a select: keeps only what the person of a session, an API key or a query token may see, with their role as `access.role`. A key
 * opens nothing but what it lists, and with access `read` its person has the role of a viewer. A key that lists sites but no projects opens
 * nothing that belongs to a project alone. A query token without the scope `control:write` reads only, too. Uses the primary key of
 * `project_members`.
 */
export function joinPerson(
  sql: Sql,
  actor: ActorOf<'apiToken' | 'session' | 'queryToken'>,
  { project, site }: IdColumns,
): Fragment {
  const role = onlyReads(actor) ? sql`'viewer'::text` : sql`member.role`;
  const join = sql`
    join lateral (
      select ${role} as role from project_members member
      where member.project_id = ${project} and member.user_id = ${actor.userId}::uuid
    ) access on true`;
  if (actor.kind === 'session') return join;
  const { projectIds, siteIds } = actor;
  const inProjects = projectIds === null ? sql`` : sql` and ${project} = any (${projectIds}::uuid[])`;
  if (siteIds === null) return sql`${join}${inProjects}`;
  if (site === undefined) return projectIds === null ? sql`${join} and false` : sql`${join}${inProjects}`;
  return sql`${join}${inProjects} and ${site} = any (${siteIds}::uuid[])`;
}

const onlyReads = (actor: ActorOf<'apiToken' | 'session' | 'queryToken'>): boolean =>
  (actor.kind === 'apiToken' && actor.access === 'read') ||
  (actor.kind === 'queryToken' && !actor.scopes.includes('control:write'));

/**
 * Part of a select from `sites site`: keeps only sites that the caller may see, with the caller's `role` as `access.role`. Members see the
 * sites of their projects, a share only its own site. Uses primary keys.
 */
export function joinSiteAccess(sql: Sql, actor: ReaderActor): Fragment {
  switch (actor.kind) {
    case 'apiToken':
    case 'session':
    case 'queryToken':
      return joinPerson(sql, actor, { project: sql`site.project_id`, site: sql`site.id` });
    case 'share':
      return sql`join lateral (
        select 'viewer'::text as role from site_shares share
        where share.id = ${actor.shareId}::uuid and share.site_id = site.id and site.id = ${actor.siteId}::uuid
      ) access on true`;
    case 'operator':
      return sql`cross join (select 'owner'::text as role) access`;
  }
}

/** Part of a select from `projects project`: keeps only projects that the caller may add a site to, or is a viewer of. */
export const joinNewSiteAccess = (sql: Sql, actor: MemberActor): Fragment =>
  // A new site is in no key's list.
  joinPerson(sql, actor, { project: sql`project.id`, site: sql`null::uuid` });

/** Throws `NOT_FOUND` for a report that a share doesn't show. Everybody else sees all reports. */
export function requireShown(actor: ReaderActor, report: string): void {
  if (actor.kind === 'share' && !actor.reports.includes(report)) throw notFound('report');
}

/** Actors that may read an environment's telemetry. */
export type TelemetryActor = ActorOf<'apiToken' | 'session' | 'queryToken' | 'operator'>;

/**
 * Part of a select from `environments environment`: keeps only environments that the caller may see, with `access.role`. A key or a
 * query token that lists sites but no projects sees none. Uses primary keys.
 */
export function joinEnvironmentAccess(sql: Sql, actor: TelemetryActor): Fragment {
  switch (actor.kind) {
    case 'apiToken':
    case 'session':
    case 'queryToken':
      return joinPerson(sql, actor, { project: sql`environment.project_id` });
    case 'operator':
      return sql`cross join (select 'owner'::text as role) access`;
  }
}

/** Part of other statements: the site with the caller's role, or no row if the caller may not see it. Uses primary keys. */
export const memberSite = ({ sql, actor }: Context<ReaderActor>, siteId: string): Fragment => sql`
  select site.id, site.project_id, access.role from sites site ${joinSiteAccess(sql, actor)} where site.id = ${siteId}::uuid`;

/** Part of other statements: the project with the caller's role, or no row if the caller may not see it. Uses primary keys. */
export const memberProject = ({ sql, actor }: SessionContext, projectId: string): Fragment => sql`
  select project_id as id, role from project_members where project_id = ${projectId}::uuid and user_id = ${actor.userId}::uuid`;

/**
 * Part of other statements: the environment with the caller's role, or no row if the caller may not see it or it is in another project.
 * Uses primary keys.
 */
export const memberEnvironment = (
  { sql, actor }: Context<TelemetryActor>,
  { projectId, environmentId }: { projectId: string; environmentId: string },
): Fragment => sql`
  select environment.project_id as id, access.role, environment.id as environment_id
  from environments environment ${joinEnvironmentAccess(sql, actor)}
  where environment.project_id = ${projectId}::uuid and environment.id = ${environmentId}::uuid`;

/**
 * Part of other statements: the condition that the caller's session or API key hasn't ended. A statement in the person's turn
 * (`turnOfPerson`) grants nothing after a new password by mail. Uses primary keys.
 */
export const stillHeld = ({ sql, actor }: MemberContext): Fragment =>
  actor.kind === 'session'
    ? sql`exists (select from user_sessions where id = ${actor.sessionId}::uuid and expires_at > now())`
    : sql`exists (select from api_tokens where id = ${actor.tokenId}::uuid and revoked_at is null)`;

export const MANAGERS: readonly Role[] = ['owner', 'admin'];
export const OWNERS: readonly Role[] = ['owner'];

export const lesserRole = (may: readonly Role[]): DomainError =>
  new DomainError(
    'FORBIDDEN',
    may.includes('admin')
      ? 'You may only read here: you are a viewer of the project, or your key may only read.'
      : 'Only owners of this project may do this.',
  );

/** The result of a statement that changes something: the caller's role, and the written row or nulls. */
export type Written<Row> = { role: Role } & (Row | { id: null });

/**
 * Returns the written row. Throws `NOT_FOUND` (of `what`) without rows, `FORBIDDEN` for a role that isn't in `may` (by default, for
 * viewers), and the error of `refused` (by default `NOT_FOUND`) if nothing was written.
 */
export function requireWritten<Row extends { id: string }>(
  rows: readonly object[],
  {
    what,
    may = MANAGERS,
    refused = () => notFound(what),
  }: { what: string; may?: readonly Role[]; refused?: () => DomainError },
): Row {
  const row = requireRole(rows, { what, may }) as Written<Row>;
  if (row.id === null) throw refused();
  return row;
}

/** Returns the statement's first row. Throws `NOT_FOUND` (of `what`) without rows, and `FORBIDDEN` for a role that isn't in `may`. */
export function requireRole<Row extends { role: Role }>(
  rows: readonly object[],
  { what, may = MANAGERS }: { what: string; may?: readonly Role[] },
): Row {
  const [row] = rows as readonly Row[];
  if (row === undefined) throw notFound(what);
  if (!may.includes(row.role)) throw lesserRole(may);
  return row;
}
