/** Deletions of sites. They continue after the answer: `delete_site` and `continue_deletions` of the schema. */
import { joinPerson } from '../access.ts';
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
 * The deleted sites that the caller could see, newest first. Each stays listed for 7 days after its deletion is
 * complete. Uses the index `site_deletions_project`; the cost grows with the listed rows.
 */
export async function listDeletions(ctx: MemberContext): Promise<SiteDeletion[]> {
  const rows = await reach(ctx.sql`
    select d.site as "siteId", d.project_id as "projectId", d.domain, d.name, d.visits::float8,
      d.deleted_visits::float8 as "deletedVisits", d.deleted_rows::float8 as "deletedRows", d.requested_at, d.finished_at
    from site_deletions d ${joinPerson(ctx.sql, ctx.actor, { project: ctx.sql`d.project_id`, site: ctx.sql`d.site` })}
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
 * Continues to delete the data of deleted sites, oldest deletion first. The next run does the rest (schema/functions/deletion.sql).
 * Returns how many rows it deleted.
 */
export const continueDeletions = (ports: Ports, { maxRows = ROWS_A_BATCH } = {}) =>
  runBatches(
    ports,
    (instant) => ports.sql`select * from continue_deletions(${instant}::timestamptz, ${maxRows}::integer)`,
  );
