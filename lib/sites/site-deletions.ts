/** Deletions of sites, which go on after their answers: `delete_site` and `continue_deletions` of the schema. */
import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { MemberContext, Ports } from '../context.ts';
import { reach } from '../db.ts';
import type { SiteDeletion } from './schemas.ts';

const MAX_LISTED = 1000;

interface DeletionRow extends Omit<SiteDeletion, 'requestedAt' | 'finishedAt'> {
  requested_at: Date;
  finished_at: Date | null;
}

/**
 * The deleted sites of all projects that the caller is a member of, newest first, until 7 days after nothing is left of them.
 * By the index `site_deletions_project`; grows with what is listed.
 */
export async function listDeletions(ctx: MemberContext): Promise<SiteDeletion[]> {
  const rows = await reach(ctx.sql`
    select d.site as "siteId", d.project_id as "projectId", d.domain, d.name, d.visits::float8,
      d.deleted_visits::float8 as "deletedVisits", d.deleted_rows::float8 as "deletedRows", d.requested_at, d.finished_at
    from project_members member
    join site_deletions d on d.project_id = member.project_id
    where member.user_id = ${ctx.actor.userId}
    order by d.requested_at desc, d.site
    limit ${MAX_LISTED}
  `);
  return (rows as DeletionRow[]).map(({ requested_at, finished_at, ...deletion }) => ({
    ...deletion,
    requestedAt: requested_at.toISOString(),
    finishedAt: finished_at?.toISOString() ?? null,
  }));
}

/**
 * Goes on deleting what was stored of deleted sites, the oldest deletion first. What it doesn't reach, the next run does
 * (schema/deletion.sql). Answers how many rows it deleted.
 */
export const continueDeletions = (ports: Ports, { maxRows = ROWS_A_BATCH } = {}) =>
  runBatches(
    ports,
    (instant) => ports.sql`select * from continue_deletions(${instant}::timestamptz, ${maxRows}::integer)`,
  );
