import { memberSite, requireRole } from '../access.ts';
import { type AuditedContext, insertAudit } from '../audit.ts';
import { reach, type Sql } from '../db.ts';
import type { Role } from '../projects/schemas.ts';
import type { OneVisitor, UnstoredMessage, VisitorEvent, VisitorVisit } from './schemas.ts';
import { storedEvents } from './stored-events.ts';
import { type StoredVisitor, storedVisits } from './stored-visits.ts';

/** All that is known of a visitor; the lists are read while they are handed out, and may be read once. */
export interface ExportedVisitor {
  head: { siteId: string; visitorId: string; exportedAt: string };
  lists: {
    visits: AsyncIterable<VisitorVisit>;
    events: AsyncIterable<VisitorEvent>;
    unstored: AsyncIterable<UnstoredMessage>;
  };
}

/**
 * Everything known of a tier 3 visitor. Of one that nobody knows the lists are empty: that is the answer to whoever asks what
 * is known of them. Throws `NOT_FOUND` for the site, `FORBIDDEN` for viewers; the lists throw when the database is lost in
 * between. Audited before anything is read. Grows with what is known, and holds a page of it at a time.
 */
export async function exportVisitor(
  ctx: AuditedContext,
  { siteId, visitorId }: OneVisitor,
): Promise<ExportedVisitor> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), audited as (${insertAudit(ctx, 'visitor.export', visitorId)})
    select target.role, sites.key from target join sites on sites.id = target.id
  `);
  const row = requireRole<{ role: Role; key: number }>(rows, { what: 'site' });
  const visitor: StoredVisitor = { siteKey: row.key, visitorId };
  return {
    head: { siteId, visitorId, exportedAt: new Date(ctx.now()).toISOString() },
    lists: {
      visits: storedVisits(ctx.sql, visitor),
      events: storedEvents(ctx.sql, visitor),
      unstored: unstoredMessages(ctx.sql, siteId, visitorId),
    },
  };
}

const MESSAGES_A_PAGE = 100;

/** Messages that couldn't be stored and name the visitor. Reads those of the site, by the index `dead_letters_site`. */
async function* unstoredMessages(
  sql: Sql,
  siteId: string,
  visitorId: string,
): AsyncGenerator<UnstoredMessage> {
  let after = '0';
  while (true) {
    const rows = (await reach(sql`
      select id::text, failed_at, reason, message from dead_letters
      where site_id = ${siteId}::uuid and id > ${after}::bigint and strpos(lower(message), ${visitorId}) > 0
      order by id
      limit ${MESSAGES_A_PAGE}
    `)) as { id: string; failed_at: Date; reason: string; message: string }[];
    yield* rows.map(({ failed_at, reason, message }) => ({
      failedAt: failed_at.toISOString(),
      reason,
      message,
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < MESSAGES_A_PAGE) return;
    after = last.id;
  }
}
