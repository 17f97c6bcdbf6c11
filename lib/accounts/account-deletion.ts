/** The end of an account. */

import type { ProjectContext } from '../audit.ts';
import { insertProjectAudit } from '../audit.ts';
import type { SessionContext } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import { DomainError } from '../errors.ts';
import { inTurn, turnOfPerson, turnOfProjects } from '../turns.ts';
import { insertRevokedKeys } from './revoke-keys.ts';
import type { AccountDeletion } from './schemas.ts';
import { notSignedIn } from './sessions.ts';

type Fragment = ReturnType<Sql>;

/** Part of other statements: the projects whose only owner the caller is. Uses the primary key and `project_members_project`. */
const soleOwned = ({ sql, actor }: SessionContext): Fragment => sql`
  select member.project_id as id from project_members member
  where member.user_id = ${actor.userId}::uuid and member.role = 'owner' and not exists (
    select from project_members other
    where other.project_id = member.project_id and other.role = 'owner' and other.user_id <> member.user_id)`;

interface BlockingRow {
  id: string;
  name: string;
  members: number;
  sites: number;
}

/** What keeps the caller's account from being deleted. Reads the members and the sites of at most 100 projects. */
export async function getAccountDeletion(ctx: SessionContext): Promise<AccountDeletion> {
  const rows = await reach(ctx.sql`
    select projects.id, projects.name,
      (select count(*)::integer from project_members where project_id = projects.id) as members,
      (select count(*)::integer from sites where project_id = projects.id) as sites
    from (${soleOwned(ctx)}) sole join projects on projects.id = sole.id
    order by projects.created_at, projects.id`);
  return { projects: rows as BlockingRow[] };
}

/**
 * Deletes the caller's account with sessions, keys, memberships and the segments that nobody else sees. Lines of the audit log keep its id.
 * Throws `CONFLICT` while the caller is the only owner of a project. Takes the turns of the person and their projects, so that two owners
 * can't both go at once. Uses primary keys.
 */
export async function deleteAccount(ctx: ProjectContext): Promise<void> {
  const { userId } = ctx.actor;
  const { sql } = ctx;
  const rows = await inTurn(
    sql,
    [
      turnOfPerson(sql, userId),
      turnOfProjects(sql, sql`select project_id from project_members where user_id = ${userId}`),
    ],
    sql`
        with sole as (${soleOwned(ctx)}),
        leaving as materialized (select users.id from users where id = ${userId}::uuid and not exists (select from sole)),
        done as (
          select member.project_id, member.user_id as id from project_members member
          join leaving on leaving.id = member.user_id
        ), audited as (${insertProjectAudit(ctx, 'member.remove')}),
        ${insertRevokedKeys(ctx, ctx.sql`leaving`)},
        gone as (delete from users using leaving where users.id = leaving.id returning users.id)
        select (select count(*) from revoked) as keys, (select count(*) from sole)::integer as sole,
          (select count(*) from gone)::integer as gone`,
  );
  const [row] = rows as { sole: number; gone: number }[];
  if (row === undefined || (row.sole === 0 && row.gone === 0)) throw notSignedIn();
  if (row.sole > 0)
    throw new DomainError(
      'CONFLICT',
      'You are the only owner of a project. Make somebody else an owner of it, or delete it first.',
    );
}
