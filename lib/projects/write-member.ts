import { reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { insertProjectAudit } from './audit.ts';
import { type AccountContext, lesserRole, lockProject, MANAGERS, memberProject } from './project.ts';
import type { Role } from './schemas.ts';

interface MemberWrite {
  projectId: string;
  userId: string;
  action: 'member.change' | 'member.remove';
  /** Writes the member `changed` of the project `target`, if `target.role` may; returns the person's `id` and `project_id`. */
  done: ReturnType<Sql>;
  /** What an admin is told who may not. */
  ownersOnly?: string;
}

/** The caller's role, what the member's was before, and whether it was written. */
interface MemberOutcome {
  role: Role;
  old_role: Role | null;
  id: string | null;
}

/**
 * Changes or removes a member; invitations that they made are void. In a transaction that locks the project first, so that two owners
 * can't step down at once. Throws `NOT_FOUND`, `FORBIDDEN`, or `CONFLICT` for the last owner.
 */
export async function writeMember(
  ctx: AccountContext,
  { projectId, userId, action, done, ownersOnly = 'Only owners change owners of this project.' }: MemberWrite,
): Promise<void> {
  const [, rows] = await reach(
    ctx.sql.transaction([
      lockProject(ctx, projectId),
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
    ]),
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
