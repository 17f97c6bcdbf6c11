import type { AccountContext } from './project.ts';
import { writeMember } from './write-member.ts';

/**
 * Takes a member out of a project, or the caller, who may leave with any role. It holds from their next request on. Throws
 * `NOT_FOUND`, `FORBIDDEN` for viewers and for admins who would remove an owner, `CONFLICT` for the last owner.
 */
export function removeMember(ctx: AccountContext, projectId: string, userId: string): Promise<void> {
  const done = ctx.sql`
    delete from project_members member using target, changed
    where member.project_id = target.id and member.user_id = changed.user_id
      and (target.role = 'owner' or ${userId === ctx.actor.userId}::boolean or (target.role = 'admin' and changed.role <> 'owner'))
      and (changed.role <> 'owner' or exists (
        select from project_members other
        where other.project_id = target.id and other.role = 'owner' and other.user_id <> changed.user_id))
    returning member.user_id as id, member.project_id`;
  return writeMember(ctx, { projectId, userId, action: 'member.remove', done });
}
