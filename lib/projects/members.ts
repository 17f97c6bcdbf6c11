/** The members of a project. They join by an invitation (invitations.ts). */

import { lesserRole, MANAGERS, memberProject } from '../access.ts';
import { requireProof } from '../accounts/proofs.ts';
import type { ProjectContext } from '../audit.ts';
import { insertProjectAudit } from '../audit.ts';
import type { SessionContext } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Role } from '../roles.ts';
import { inTurn, turnOfProject } from '../turns.ts';
import type { ChangeMember, Member, OneMember, OneProject } from './schemas.ts';

interface MemberRow {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  created_at: Date;
}

/** A project's members, oldest first. Throws `NOT_FOUND`. Uses the index `project_members_project`, at most 1000 rows. */
export async function listMembers(ctx: SessionContext, { projectId }: OneProject): Promise<Member[]> {
  const rows = await reach(ctx.sql`
    select member.user_id, users.email, users.name, member.role, member.created_at
    from (${memberProject(ctx, projectId)}) target
    join project_members member on member.project_id = target.id
    join users on users.id = member.user_id
    order by member.created_at, member.user_id
  `);
  if (rows.length === 0) throw notFound('project');
  return (rows as MemberRow[]).map(({ user_id, email, name, role, created_at }) => ({
    userId: user_id,
    email,
    name,
    role,
    createdAt: created_at.toISOString(),
  }));
}

/**
 * Changes a member's role. Making an owner needs a fresh proof (`requireProof`). Only owners may appoint or demote owners, and one owner must stay. Throws `NOT_FOUND`, `FORBIDDEN`, or
 * `CONFLICT` for the last owner.
 */
export async function changeMember(ctx: ProjectContext, { role, ...member }: ChangeMember): Promise<void> {
  if (role === 'owner') await requireProof(ctx);
  const done = ctx.sql`
    update project_members member set role = ${role} from target, changed
    where member.project_id = target.id and member.user_id = changed.user_id
      and (target.role = 'owner' or (target.role = 'admin' and changed.role <> 'owner' and ${role}::text <> 'owner'))
      and (changed.role <> 'owner' or ${role}::text = 'owner' or exists (
        select from project_members other
        where other.project_id = target.id and other.role = 'owner' and other.user_id <> changed.user_id))
    returning member.user_id as id, member.project_id`;
  await writeMember(ctx, member, {
    ...{ action: 'member.change', done },
    ...(role === 'owner' && { ownersOnly: 'Only owners make owners.' }),
  });
}

/**
 * Removes a member from a project. Members of any role may remove themselves. Takes effect at the member's next request. Throws
 * `NOT_FOUND`, `FORBIDDEN` for viewers and for admins who remove an owner, `CONFLICT` for the last owner.
 */
export function removeMember(ctx: ProjectContext, member: OneMember): Promise<void> {
  const isCaller = member.userId === ctx.actor.userId;
  const done = ctx.sql`
    delete from project_members member using target, changed
    where member.project_id = target.id and member.user_id = changed.user_id
      and (target.role = 'owner' or ${isCaller}::boolean or (target.role = 'admin' and changed.role <> 'owner'))
      and (changed.role <> 'owner' or exists (
        select from project_members other
        where other.project_id = target.id and other.role = 'owner' and other.user_id <> changed.user_id))
    returning member.user_id as id, member.project_id`;
  return writeMember(ctx, member, { action: 'member.remove', done });
}

interface MemberWrite {
  action: 'member.change' | 'member.remove';
  /** Writes the member `changed` of the project `target` if `target.role` may; returns the member's `id` and the `project_id`. */
  done: ReturnType<Sql>;
  /** The message for an admin who lacks the right. */
  ownersOnly?: string;
}

/** The caller's role, the member's old role, and the member's id if the change was written. */
interface MemberOutcome {
  role: Role;
  old_role: Role | null;
  id: string | null;
}

/**
 * Changes or removes a member and deletes the invitations that the member made. Takes the project's turn, so that two owners can't both
 * leave at once, and the member grants nothing meanwhile. Throws `NOT_FOUND`, `FORBIDDEN`, or `CONFLICT` for the last owner.
 */
async function writeMember(
  ctx: ProjectContext,
  { projectId, userId }: OneMember,
  { action, done, ownersOnly = 'Only owners change owners of this project.' }: MemberWrite,
): Promise<void> {
  const rows = await inTurn(
    ctx.sql,
    [turnOfProject(ctx.sql, projectId)],
    ctx.sql`
        with target as (${memberProject(ctx, projectId)}), changed as (
          select member.user_id, member.role from project_members member join target on target.id = member.project_id
          where member.user_id = ${userId}
        ), done as (${done}), uninvited as (
          delete from project_invitations using done
          where project_invitations.project_id = done.project_id and created_by = done.id
        ), audited as (${insertProjectAudit(ctx, action)})
        select target.role, changed.role as old_role, done.id
        from target left join changed on true left join done on true`,
  );
  const [row] = rows as MemberOutcome[];
  if (row === undefined) throw notFound('project');
  if (row.old_role === null) throw notFound('member');
  if (row.id !== null) return;
  if (row.role === 'owner')
    throw new DomainError(
      'CONFLICT',
      'A project must have an owner. Make somebody else an owner first, or delete the project.',
    );
  throw row.role === 'viewer' ? lesserRole(MANAGERS) : new DomainError('FORBIDDEN', ownersOnly);
}
