import type { Invitation, Role } from './schemas.ts';

export interface InvitationRow {
  id: string;
  invited_role: Role;
  created_at: Date;
  expires_at: Date;
}

export const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  role: row.invited_role,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
