import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { insertProjectAudit } from './audit.ts';
import { type AccountContext, lockProject, memberProject } from './project.ts';
import type { MemberChange, Role } from './schemas.ts';

/** What was there before the change, and whether it happened. */
export interface MemberOutcome {
  role: Role;
  old_role: Role | null;
  id: string | null;
}

/**
 * Gives a member another role. Only owners make or unmake owners, and one owner stays. Throws `NOT_FOUND`, `FORBIDDEN`, or
 * `CONFLICT` for the last owner. In a transaction that locks the project first, so that two owners can't step down at once. Invitations that the member made are void.
 */
export async function changeMember(
  ctx: AccountContext,
  projectId: string,
  userId: string,
  { role }: MemberChange,
): Promise<void> {
  const [, rows] = await reach(
    ctx.sql.transaction([
      lockProject(ctx, projectId),
      ctx.sql`
        with target as (${memberProject(ctx, projectId)}), changed as (
          select member.user_id, member.role from project_members member join target on target.id = member.project_id
          where member.user_id = ${userId}
        ), done as (
          update project_members member set role = ${role} from target, changed
          where member.project_id = target.id and member.user_id = changed.user_id
            and (target.role = 'owner' or (target.role = 'admin' and changed.role <> 'owner' and ${role}::text <> 'owner'))
            and (changed.role <> 'owner' or ${role}::text = 'owner' or exists (
              select from project_members other
              where other.project_id = target.id and other.role = 'owner' and other.user_id <> changed.user_id))
          returning member.user_id as id, member.project_id
        ), uninvited as (
          delete from project_invitations using done
          where project_invitations.project_id = done.project_id and created_by = done.id
        ), audited as (${insertProjectAudit(ctx, 'member.change')})
        select target.role, changed.role as old_role, done.id
        from target left join changed on true left join done on true`,
    ]),
  );
  requireChanged(rows as MemberOutcome[], role === 'owner');
}

/** Throws unless the member was changed; `ownersOnly`: it takes an owner in any case. */
export function requireChanged([row]: readonly MemberOutcome[], ownersOnly: boolean, isSelf = false): void {
  if (row === undefined) throw notFound('project');
  if (row.old_role === null) throw notFound('member');
  if (row.id !== null) return;
  const isOwner = row.role === 'owner' || (isSelf && row.old_role === 'owner');
  if (isOwner)
    throw new DomainError(
      'CONFLICT',
      'A project has an owner always. Make somebody else an owner first, or delete the project.',
    );
  if (row.role === 'viewer')
    throw new DomainError('FORBIDDEN', 'You are a viewer of this project, and viewers only read.');
  throw new DomainError(
    'FORBIDDEN',
    ownersOnly ? 'Only owners make owners.' : 'Only owners change owners of this project.',
  );
}
