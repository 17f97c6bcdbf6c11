import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberProject } from './project.ts';
import type { Member, Role } from './schemas.ts';

interface MemberRow {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  created_at: Date;
}

/** A project's members, oldest first. Throws `NOT_FOUND`. By the index `project_members_project`, at most 1000 rows. */
export async function listMembers(ctx: SessionContext, projectId: string): Promise<Member[]> {
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
