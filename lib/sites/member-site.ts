import type { MemberContext } from '../context.ts';

/**
 * Part of other statements: the site if the caller is a member of its project, with the caller's role; no row
 * otherwise. Two look-ups by primary key (`sites`, `project_members`), whatever the number of sites.
 */
export const memberSite = (ctx: MemberContext, siteId: string) => ctx.sql`
  select sites.id, member.role
  from sites
  join project_members member on member.project_id = sites.project_id
  where sites.id = ${siteId} and member.user_id = ${ctx.actor.userId}
`;
