import type { AccountContext } from './project.ts';
import type { MemberChange } from './schemas.ts';
import { writeMember } from './write-member.ts';

/**
 * Gives a member another role. Only owners make or unmake owners, and one owner stays. Throws `NOT_FOUND`, `FORBIDDEN`, or
 * `CONFLICT` for the last owner.
 */
export function changeMember(
  ctx: AccountContext,
  projectId: string,
  userId: string,
  { role }: MemberChange,
): Promise<void> {
  const done = ctx.sql`
    update project_members member set role = ${role} from target, changed
    where member.project_id = target.id and member.user_id = changed.user_id
      and (target.role = 'owner' or (target.role = 'admin' and changed.role <> 'owner' and ${role}::text <> 'owner'))
      and (changed.role <> 'owner' or ${role}::text = 'owner' or exists (
        select from project_members other
        where other.project_id = target.id and other.role = 'owner' and other.user_id <> changed.user_id))
    returning member.user_id as id, member.project_id`;
  return writeMember(ctx, {
    ...{ projectId, userId, action: 'member.change', done },
    ...(role === 'owner' && { ownersOnly: 'Only owners make owners.' }),
  });
}
