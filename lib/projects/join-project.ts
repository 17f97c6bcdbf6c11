import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { hashToken } from '../tokens.ts';
import { insertProjectAudit } from './audit.ts';
import { type AccountContext, type ProjectRow, toProject } from './project.ts';
import type { HeldInvitation, Project, Role } from './schemas.ts';

/**
 * Makes the caller a member by an invitation, which is used up with it. Throws `NOT_FOUND` for one that is used, over or nobody's,
 * `CONFLICT` for who is a member already: the link stays good for somebody else. By the unique index on `hash`.
 */
export async function joinProject(ctx: AccountContext, { secret }: HeldInvitation): Promise<Project> {
  const { userId } = ctx.actor;
  const rows = await reach(ctx.sql`
    with open as (
      select id, project_id, role, exists (
        select from project_members member where member.user_id = ${userId} and member.project_id = invitation.project_id
      ) as is_member
      from project_invitations invitation
      where hash = decode(${await hashToken(secret)}, 'hex') and expires_at >= now()
    ), used as (
      delete from project_invitations using open
      where project_invitations.id = open.id and not open.is_member
      returning open.project_id, open.role
    ), done as (
      insert into project_members (project_id, user_id, role) select project_id, ${userId}::uuid, role from used
      on conflict do nothing returning user_id as id, project_id, role
    ), audited as (${insertProjectAudit(ctx, 'member.join')})
    select projects.id, projects.name, done.role, projects.created_at, open.is_member
    from open join projects on projects.id = open.project_id left join done on true
  `);
  const [row] = rows as (Omit<ProjectRow, 'role'> & { role: Role | null; is_member: boolean })[];
  if (row?.is_member) throw new DomainError('CONFLICT', 'You are a member of this project already.');
  // Somebody else was faster with it.
  if (row === undefined || row.role === null) throw notFound('invitation');
  return toProject({ ...row, role: row.role });
}
