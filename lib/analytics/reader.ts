import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import type { Fragment } from './range.ts';

/**
 * Part of a select from `sites site`: leaves only sites whose reports the caller may see. A member sees those of their
 * projects, a share shows the one that it was made for, as long as it is there. One row by primary key.
 */
export function joinReader(sql: Sql, actor: ReportContext['actor']): Fragment {
  switch (actor.kind) {
    case 'apiToken':
      return sql`
        join project_members member on member.project_id = site.project_id and member.user_id = ${actor.userId}::uuid`;
    case 'share':
      return sql`
        join site_shares share on share.site_id = site.id and share.id = ${actor.shareId}::uuid and site.id = ${actor.siteId}::uuid`;
  }
}

/** Part of other statements: the site's id if the caller may see its reports; no row otherwise. */
export const readableSite = ({ sql, actor }: ReportContext, siteId: string): Fragment =>
  sql`select site.id from sites site ${joinReader(sql, actor)} where site.id = ${siteId}::uuid`;
