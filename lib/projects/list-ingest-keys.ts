import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { type IngestKeyRow, toIngestKey } from './ingest-key.ts';
import { memberEnvironment } from './project.ts';
import type { IngestKey } from './schemas.ts';

/** An environment's keys that aren't revoked, oldest first; never the keys themselves. Throws `NOT_FOUND`. By `ingest_keys_environment`. */
export async function listIngestKeys(
  ctx: SessionContext,
  projectId: string,
  environmentId: string,
): Promise<IngestKey[]> {
  const rows = await reach(ctx.sql`
    select key.id, key.name, key.outcomes, key.created_at, key.last_used_at
    from (${memberEnvironment(ctx, projectId, environmentId)}) target
    left join ingest_keys key on key.environment_id = target.environment_id and key.revoked_at is null
    order by key.created_at, key.id
  `);
  return listed<IngestKeyRow>(rows, 'environment').map(toIngestKey);
}
