import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { type InvitationRow, toInvitation } from './invitation.ts';
import { memberProject } from './project.ts';
import type { Invitation } from './schemas.ts';

/** A project's open invitations, oldest first; never their links. Throws `NOT_FOUND`. At most 100 rows, by index. */
export async function listInvitations(ctx: SessionContext, projectId: string): Promise<Invitation[]> {
  const rows = await reach(ctx.sql`
    select open.id, open.role as invited_role, open.created_at, open.expires_at
    from (${memberProject(ctx, projectId)}) target
    left join project_invitations open on open.project_id = target.id and open.expires_at >= now()
    order by open.created_at, open.id
  `);
  return listed<InvitationRow>(rows, 'project').map(toInvitation);
}
