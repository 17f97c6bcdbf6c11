import type { IngestKey } from './schemas.ts';

export interface IngestKeyRow {
  id: string;
  name: string;
  outcomes: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

export const toIngestKey = (row: IngestKeyRow): IngestKey => ({
  id: row.id,
  name: row.name,
  outcomes: row.outcomes,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
