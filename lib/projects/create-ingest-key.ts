import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { createToken, hashToken } from '../tokens.ts';
import { insertProjectAudit } from './audit.ts';
import { type IngestKeyRow, toIngestKey } from './ingest-key.ts';
import { memberEnvironment, type ProjectContext, requireWritten, type Written } from './project.ts';
import type { CreatedIngestKey, NewIngestKey } from './schemas.ts';

const MAX_KEYS_AN_ENVIRONMENT = 100;

/**
 * Makes a key that a backend sends with. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for an environment with as many
 * as it may have, counted by the index `ingest_keys_environment`.
 */
export async function createIngestKey(
  ctx: ProjectContext,
  place: { projectId: string; environmentId: string },
  { name, outcomes }: NewIngestKey,
): Promise<CreatedIngestKey> {
  const key = createToken('ving', (bytes) => crypto.getRandomValues(bytes));
  const hash = await hashToken(key);
  const rows = await reach(ctx.sql`
    with target as (${memberEnvironment(ctx, place.projectId, place.environmentId)}), made as (
      insert into ingest_keys (environment_id, name, outcomes, hash)
      select target.environment_id, ${name}, ${outcomes}::boolean, decode(${hash}, 'hex') from target
      where target.role in ('owner', 'admin') and (
        select count(*) from ingest_keys where environment_id = target.environment_id and revoked_at is null
      ) < ${MAX_KEYS_AN_ENVIRONMENT}
      returning id, name, outcomes, created_at, last_used_at
    ), done as (select made.*, target.id as project_id from made, target),
    audited as (${insertProjectAudit(ctx, 'ingest-key.create')})
    select target.role, made.* from target left join made on true
  `);
  const row = requireWritten(rows as Written<IngestKeyRow>[], {
    what: 'environment',
    refused: () =>
      new DomainError('CONFLICT', `An environment has at most ${MAX_KEYS_AN_ENVIRONMENT} keys. Revoke one.`),
  });
  return { ...toIngestKey(row), key };
}
