/** What API keys and query tokens of a person open: in the database, in answers, and when one is made. */
import type { SessionContext } from '../context.ts';
import type { Fragment, Sql } from '../db.ts';
import type { ApiKey } from './schemas.ts';

export interface OpenedRow {
  project_ids: string[] | null;
  site_ids: string[] | null;
  expires_at: Date | null;
}

export const toOpened = (row: OpenedRow): Pick<ApiKey, 'projectIds' | 'siteIds' | 'expiresAt'> => ({
  projectIds: row.project_ids,
  siteIds: row.site_ids,
  expiresAt: row.expires_at?.toISOString() ?? null,
});

/** An empty list is none: the key opens everything. */
export interface Named {
  projectIds: readonly string[];
  siteIds: readonly string[];
}

/**
 * Part of other statements, in the list after `with`: `known.all_known` is true if the caller sees all named projects and sites, and the
 * sites are in the named projects. Uses primary keys.
 */
export const knownNames = ({ sql, actor }: SessionContext, { projectIds, siteIds }: Named): Fragment => sql`
  allowed as (
    select project_id from project_members
    where user_id = ${actor.userId} and (${projectIds.length} = 0 or project_id = any(${projectIds}::uuid[]))
  ), known as (
    select
      not exists (select from unnest(${projectIds}::uuid[]) as named(id) where named.id not in (select project_id from allowed))
      and not exists (
        select from unnest(${siteIds}::uuid[]) as named(id)
        where not exists (select from sites where sites.id = named.id and project_id in (select project_id from allowed))
      ) as all_known
  )`;

/** Part of other statements: a list as it is stored. */
export const storedIds = (sql: Sql, ids: readonly string[]): Fragment =>
  ids.length === 0 ? sql`null::uuid[]` : sql`${ids}::uuid[]`;

/** Part of other statements: one row of a relation of keys per project that the key opens. Uses primary keys. */
export const openedProjects = (sql: Sql, keys: Fragment): Fragment => sql`
  select opener.id, opener.name, opened as project_id
  from ${keys} opener cross join lateral key_projects(opener.user_id, opener.project_ids, opener.site_ids) opened`;
