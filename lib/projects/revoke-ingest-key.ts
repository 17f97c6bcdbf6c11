import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { insertProjectAudit } from './audit.ts';
import { memberEnvironment, type ProjectContext, requireWritten, type Written } from './project.ts';

/**
 * Revokes an ingest key of this very environment: refused everywhere within 60 s. Throws `NOT_FOUND`, also for one that was
 * revoked before, or `FORBIDDEN` for viewers. By primary keys.
 */
export async function revokeIngestKey(
  ctx: ProjectContext,
  place: { projectId: string; environmentId: string },
  keyId: string,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberEnvironment(ctx, place.projectId, place.environmentId)}), revoked as (
      update ingest_keys set revoked_at = now() from target
      where ingest_keys.id = ${keyId} and ingest_keys.environment_id = target.environment_id and revoked_at is null
        and target.role in ('owner', 'admin')
      returning ingest_keys.id
    ), done as (select revoked.id, target.id as project_id from revoked, target),
    audited as (${insertProjectAudit(ctx, 'ingest-key.revoke')})
    select target.role, revoked.id from target left join revoked on true
  `);
  requireWritten(rows as Written<{ id: string }>[], {
    what: 'environment',
    refused: () => notFound('ingest key'),
  });
}
