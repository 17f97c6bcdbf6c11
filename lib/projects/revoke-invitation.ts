import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { insertProjectAudit } from './audit.ts';
import { type AccountContext, memberProject, requireWritten, type Written } from './project.ts';

/** Takes an invitation back: its link opens nothing from now on. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. */
export async function revokeInvitation(
  ctx: AccountContext,
  projectId: string,
  invitationId: string,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberProject(ctx, projectId)}), done as (
      delete from project_invitations using target
      where project_invitations.id = ${invitationId} and project_id = target.id and target.role in ('owner', 'admin')
      returning project_invitations.id, project_id
    ), audited as (${insertProjectAudit(ctx, 'member.uninvite')})
    select target.role, done.id from target left join done on true
  `);
  requireWritten(rows as Written<{ id: string }>[], {
    what: 'project',
    refused: () => notFound('invitation'),
  });
}
