import { reach } from '../db.ts';
import { insertProjectAudit } from './audit.ts';
import { type MemberOutcome, requireChanged } from './change-member.ts';
import { type AccountContext, lockProject, memberProject } from './project.ts';

/**
 * Takes a member out of a project, or the caller, who may leave with any role. It holds from their next request on, and
 * invitations that they made are void. Throws
 * `NOT_FOUND`, `FORBIDDEN` for viewers and for admins who would remove an owner, `CONFLICT` for the last owner.
 */
export async function removeMember(ctx: AccountContext, projectId: string, userId: string): Promise<void> {
  const isSelf = userId === ctx.actor.userId;
  const [, rows] = await reach(
    ctx.sql.transaction([
      lockProject(ctx, projectId),
      ctx.sql`
        with target as (${memberProject(ctx, projectId)}), changed as (
          select member.user_id, member.role from project_members member join target on target.id = member.project_id
          where member.user_id = ${userId}
        ), done as (
          delete from project_members member using target, changed
          where member.project_id = target.id and member.user_id = changed.user_id
            and (target.role = 'owner' or ${isSelf}::boolean or (target.role = 'admin' and changed.role <> 'owner'))
            and (changed.role <> 'owner' or exists (
              select from project_members other
              where other.project_id = target.id and other.role = 'owner' and other.user_id <> changed.user_id))
          returning member.user_id as id, member.project_id
        ), uninvited as (
          delete from project_invitations using done
          where project_invitations.project_id = done.project_id and created_by = done.id
        ), audited as (${insertProjectAudit(ctx, 'member.remove')})
        select target.role, changed.role as old_role, done.id
        from target left join changed on true left join done on true`,
    ]),
  );
  requireChanged(rows as MemberOutcome[], false, isSelf);
}
