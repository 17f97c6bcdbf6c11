/** The ingest keys of an environment: members make, list and revoke them. */
import { memberEnvironment, requireWritten, stillHeld } from '../access.ts';
import { notSignedIn } from '../accounts/sessions.ts';
import type { ProjectContext } from '../audit.ts';
import { insertProjectAudit } from '../audit.ts';
import type { SessionContext } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { listed } from '../listed.ts';
import { type Maker, makerOf } from '../maker.ts';
import { createToken, hashToken } from '../tokens.ts';
import { inTurn, turnOfPerson, turnOfProject } from '../turns.ts';
import type {
  CreatedIngestKey,
  CreateIngestKey,
  IngestKey,
  OneEnvironment,
  OneIngestKey,
} from './schemas.ts';

const MAX_KEYS_AN_ENVIRONMENT = 100;

interface IngestKeyRow {
  id: string;
  name: string;
  outcomes: boolean;
  created_at: Date;
  last_used_at: Date | null;
  maker: Maker;
}

/** The columns of an `IngestKeyRow`, of a key of the environment `target`. */
const keyColumns = (sql: Sql) => sql`
  key.id, key.name, key.outcomes, key.created_at, key.last_used_at,
  ${makerOf(sql, { userId: sql`key.created_by`, projectId: sql`target.id` })} as maker`;

const toIngestKey = (row: IngestKeyRow): IngestKey => ({
  id: row.id,
  name: row.name,
  outcomes: row.outcomes,
  createdAt: row.created_at.toISOString(),
  createdBy: row.maker,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

/**
 * An environment's keys that aren't revoked, oldest first, without the keys themselves. Throws `NOT_FOUND`. Uses the index
 * `ingest_keys_environment`, at most 100 rows.
 */
export async function listIngestKeys(ctx: SessionContext, environment: OneEnvironment): Promise<IngestKey[]> {
  const rows = await reach(ctx.sql`
    select ${keyColumns(ctx.sql)}
    from (${memberEnvironment(ctx, environment)}) target
    left join ingest_keys key on key.environment_id = target.environment_id and key.revoked_at is null
    order by key.created_at, key.id
  `);
  return listed<IngestKeyRow>(rows, 'environment').map(toIngestKey);
}

/**
 * Makes an ingest key for a backend. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, and `CONFLICT` at the maximum number. Counts the keys by
 * the index `ingest_keys_environment`.
 */
export async function createIngestKey(
  ctx: ProjectContext,
  { name, outcomes, ...environment }: CreateIngestKey,
): Promise<CreatedIngestKey> {
  const key = createToken('ving', (bytes) => crypto.getRandomValues(bytes));
  const hash = await hashToken(key);
  const { sql, actor } = ctx;
  const rows = await inTurn(
    sql,
    [turnOfPerson(sql, actor.userId), turnOfProject(sql, environment.projectId)],
    sql`
    with target as (${memberEnvironment(ctx, environment)}), key as (
      insert into ingest_keys (environment_id, name, outcomes, hash, created_by)
      select target.environment_id, ${name}, ${outcomes}::boolean, decode(${hash}, 'hex'), ${actor.userId}::uuid from target
      where target.role in ('owner', 'admin') and ${stillHeld(ctx)} and (
        select count(*) from ingest_keys where environment_id = target.environment_id and revoked_at is null
      ) < ${MAX_KEYS_AN_ENVIRONMENT}
      returning *
    ), done as (select key.id, key.name, target.id as project_id from key, target),
    audited as (${insertProjectAudit(ctx, 'ingest-key.create')})
    select target.role, ${stillHeld(ctx)} as held, ${keyColumns(sql)} from target left join key on true
  `,
  );
  if (rows[0]?.held === false) throw notSignedIn();
  const row = requireWritten<IngestKeyRow>(rows, {
    what: 'environment',
    refused: () =>
      new DomainError('CONFLICT', `An environment has at most ${MAX_KEYS_AN_ENVIRONMENT} keys. Revoke one.`),
  });
  return { ...toIngestKey(row), key };
}

/**
 * Revokes an ingest key of this environment; every function refuses it within 60 s. Throws `NOT_FOUND`, also for an already revoked key,
 * or `FORBIDDEN` for viewers. Uses primary keys.
 */
export async function revokeIngestKey(
  ctx: ProjectContext,
  { ingestKeyId, ...environment }: OneIngestKey,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberEnvironment(ctx, environment)}), revoked as (
      update ingest_keys set revoked_at = now() from target
      where ingest_keys.id = ${ingestKeyId} and ingest_keys.environment_id = target.environment_id and revoked_at is null
        and target.role in ('owner', 'admin')
      returning ingest_keys.id, ingest_keys.name
    ), done as (select revoked.id, revoked.name, target.id as project_id from revoked, target),
    audited as (${insertProjectAudit(ctx, 'ingest-key.revoke')})
    select target.role, revoked.id from target left join revoked on true
  `);
  requireWritten(rows, { what: 'environment', refused: () => notFound('ingest key') });
}
