/** The end of an account. */
import { type AuditedContext, insertProjectAudit, type ProjectContext } from '../audit.ts';
import type { Actor, SessionContext } from '../context.ts';
import { type Fragment, reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { inTurn, turnOfPerson, turnOfProjects } from '../turns.ts';
import type { OperatorContext } from './api-keys.ts';
import { insertRevokedKeys } from './revoke-keys.ts';
import type { AccountDeletion } from './schemas.ts';
import { notSignedIn } from './sessions.ts';

/** Part of other statements: the projects whose only owner the person is. Uses the primary key and `project_members_project`. */
const soleOwned = (sql: Sql, userId: string): Fragment => sql`
  select member.project_id as id from project_members member
  where member.user_id = ${userId}::uuid and member.role = 'owner' and not exists (
    select from project_members other
    where other.project_id = member.project_id and other.role = 'owner' and other.user_id <> member.user_id)`;

interface BlockingRow {
  id: string;
  name: string;
  members: number;
  sites: number;
}

/** What keeps the caller's account from being deleted. Reads the members and the sites of at most 100 projects. */
export const getAccountDeletion = ({ sql, actor }: SessionContext): Promise<AccountDeletion> =>
  listSoleOwned(sql, actor.userId);

async function listSoleOwned(sql: Sql, userId: string): Promise<AccountDeletion> {
  const rows = await reach(sql`
    select projects.id, projects.name,
      (select count(*)::integer from project_members where project_id = projects.id) as members,
      (select count(*)::integer from sites where project_id = projects.id) as sites
    from (${soleOwned(sql, userId)}) sole join projects on projects.id = sole.id
    order by projects.created_at, projects.id`);
  return { projects: rows as BlockingRow[] };
}

/**
 * Deletes the caller's account with sessions, keys, memberships and the segments that nobody else sees. Lines of the audit log keep its id.
 * Throws `CONFLICT` while the caller is the only owner of a project. Takes the turns of the person and their projects, so that two owners
 * can't both go at once. Uses primary keys.
 */
export async function deleteAccount(ctx: ProjectContext): Promise<void> {
  const { sole, gone } = await leave(ctx, ctx.actor.userId);
  if (sole === 0 && gone === 0) throw notSignedIn();
  if (sole > 0)
    throw new DomainError(
      'CONFLICT',
      'You are the only owner of a project. Make somebody else an owner of it, or delete it first.',
    );
}

/** Deletes the person, unless they are the only owner of `sole` projects. `gone`: how many people were deleted. */
async function leave(ctx: AuditedContext<Actor>, userId: string): Promise<{ sole: number; gone: number }> {
  const { sql } = ctx;
  const rows = await inTurn(
    sql,
    [
      turnOfPerson(sql, userId),
      turnOfProjects(sql, sql`select project_id from project_members where user_id = ${userId}`),
    ],
    sql`
        with sole as (${soleOwned(sql, userId)}),
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
  return row ?? { sole: 0, gone: 0 };
}

/** What the operator deletes with a person: the projects whose only owner they are. Throws `NOT_FOUND` if nobody has the address. */
export async function getTenantDeletion(
  { sql }: OperatorContext,
  { email }: { email: string },
): Promise<AccountDeletion> {
  return listSoleOwned(sql, await findPerson(sql, email));
}

/**
 * Deletes a person, and the projects whose only owner they are with everything in them (`delete_project` of the schema). Crons delete the
 * rows of their sites and environments. Throws `NOT_FOUND` if nobody has the address, and `CONFLICT` if they got a project meanwhile.
 */
export async function deleteTenant(ctx: OperatorContext, { email }: { email: string }): Promise<void> {
  const { sql } = ctx;
  const userId = await findPerson(sql, email);
  await reach(sql`select delete_project(id) from (${soleOwned(sql, userId)}) sole`);
  const { sole } = await leave(ctx, userId);
  if (sole > 0) throw new DomainError('CONFLICT', 'The person has another project by now. Repeat this.');
}

/** Uses the unique index on the address. */
async function findPerson(sql: Sql, email: string): Promise<string> {
  const [person] = await reach(sql`select id from users where lower(email) = lower(${email})`);
  if (person === undefined) throw notFound('account');
  return person.id;
}
