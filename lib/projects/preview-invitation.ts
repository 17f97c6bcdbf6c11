import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { hashToken } from '../tokens.ts';
import type { HeldInvitation, InvitationPreview, Role } from './schemas.ts';

interface PreviewRow {
  name: string;
  role: Role;
  expires_at: Date;
}

/**
 * What an invitation is to, for whoever holds its link; that uses nothing up. Throws the same `NOT_FOUND` for one that is used,
 * taken back, over or nobody's. By the unique index on `hash`.
 */
export async function previewInvitation(
  ctx: Pick<Ports, 'sql'>,
  { secret }: HeldInvitation,
): Promise<InvitationPreview> {
  const [row] = (await reach(ctx.sql`
    select projects.name, invitation.role, invitation.expires_at
    from project_invitations invitation join projects on projects.id = invitation.project_id
    where invitation.hash = decode(${await hashToken(secret)}, 'hex') and invitation.expires_at >= now()
  `)) as PreviewRow[];
  if (row === undefined) throw notFound('invitation');
  return { projectName: row.name, role: row.role, expiresAt: row.expires_at.toISOString() };
}
