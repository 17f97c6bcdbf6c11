/**
 * What a caller may see and change. Every statement on data of a project begins with one of these joins, and every change ends with
 * `requireWritten`.
 */
import type { ActorOf, Context, MemberContext, ReaderActor, SessionContext } from './context.ts';
import type { Sql } from './db.ts';
import { DomainError, notFound } from './errors.ts';
import type { Role } from './projects/schemas.ts';

type Fragment = ReturnType<Sql>;

/**
 * Part of a select from `sites site`: keeps only sites that the caller may see, with the caller's `role` as `access.role`. Members see the
 * sites of their projects, a query token only those that it lists, a share only its own site. Uses primary keys.
 */
export function joinSiteAccess(sql: Sql, actor: ReaderActor): Fragment {
  switch (actor.kind) {
    case 'apiToken':
    case 'session':
      return joinMember(sql, sql`site.project_id`, actor.userId);
    case 'queryToken':
      return sql`${joinMember(sql, sql`site.project_id`, actor.userId)}
        and (${actor.projectIds}::uuid[] is null or site.project_id = any (${actor.projectIds}::uuid[]))
        and (${actor.siteIds}::uuid[] is null or site.id = any (${actor.siteIds}::uuid[]))`;
    case 'share':
      return sql`join lateral (
        select 'viewer'::text as role from site_shares share
        where share.id = ${actor.shareId}::uuid and share.site_id = site.id and site.id = ${actor.siteId}::uuid
      ) access on true`;
    case 'operator':
      return sql`cross join (select 'owner'::text as role) access`;
  }
}

/** Actors that may read an environment's telemetry. */
export type TelemetryActor = ActorOf<'session' | 'queryToken' | 'operator'>;

/**
 * Part of a select from `environments environment`: keeps only environments that the caller may see, with `access.role`. A query token
 * that lists sites but no projects sees none. Uses primary keys.
 */
export function joinEnvironmentAccess(sql: Sql, actor: TelemetryActor): Fragment {
  switch (actor.kind) {
    case 'session':
      return joinMember(sql, sql`environment.project_id`, actor.userId);
    case 'queryToken':
      return sql`${joinMember(sql, sql`environment.project_id`, actor.userId)}
        and (environment.project_id = any (${actor.projectIds}::uuid[])
          or (${actor.projectIds}::uuid[] is null and ${actor.siteIds}::uuid[] is null))`;
    case 'operator':
      return sql`cross join (select 'owner'::text as role) access`;
  }
}

const joinMember = (sql: Sql, projectId: Fragment, userId: string): Fragment => sql`
  join project_members access on access.project_id = ${projectId} and access.user_id = ${userId}::uuid`;

/** Part of other statements: the site with the caller's role, or no row if the caller may not see it. Uses primary keys. */
export const memberSite = ({ sql, actor }: Context<ReaderActor>, siteId: string): Fragment => sql`
  select site.id, site.project_id, access.role from sites site ${joinSiteAccess(sql, actor)} where site.id = ${siteId}::uuid`;

/** Part of other statements: the project with the caller's role, or no row if the caller may not see it. Uses primary keys. */
export const memberProject = ({ sql, actor }: MemberContext, projectId: string): Fragment => sql`
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

/** The first statement of a transaction whose next statement must see other callers' changes to the project's members or environments. */
export const lockProject = (ctx: SessionContext, projectId: string): Fragment =>
  ctx.sql`select from projects where id = ${projectId} for update`;

export const MANAGERS: readonly Role[] = ['owner', 'admin'];
export const OWNERS: readonly Role[] = ['owner'];

export const lesserRole = (may: readonly Role[]): DomainError =>
  new DomainError(
    'FORBIDDEN',
    may.includes('admin')
      ? 'You are a viewer of this project. Viewers may only read.'
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
