import type { Sql } from '../db.ts';
import type { Share, SharedReport } from './schemas.ts';

export interface ShareRow {
  id: string;
  name: string;
  has_password: boolean;
  reports: SharedReport[];
  created_at: Date;
  expires_at: Date | null;
}

/** The columns of a `ShareRow`. */
export const shareColumns = (sql: Sql) =>
  sql`share.id, share.name, share.password is not null as has_password, share.reports, share.created_at, share.expires_at`;

export const toShare = (row: ShareRow): Share => ({
  id: row.id,
  name: row.name,
  reports: row.reports,
  hasPassword: row.has_password,
  expiresAt: row.expires_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});
