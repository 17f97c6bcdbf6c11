import { reach } from '../db.ts';
import { type AccountContext, memberProject, OWNERS, requireWritten, type Written } from './project.ts';

/**
 * Deletes a project and everything in it, its sites with their data too (schema/functions/accounts.sql, `delete_project`). Throws
 * `NOT_FOUND`, or `FORBIDDEN` for all but owners. The cost grows with the rows that its sites have.
 */
export async function deleteProject(ctx: AccountContext, projectId: string): Promise<void> {
  const rows = await reach(ctx.sql`
    select target.role, target.id, case when target.role = 'owner' then delete_project(target.id)::text end as deleted
    from (${memberProject(ctx, projectId)}) target
  `);
  requireWritten(rows as Written<{ id: string }>[], {
    what: 'project',
    may: OWNERS,
  });
}
