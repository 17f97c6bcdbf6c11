import { memberSite, requireRole } from '../access.ts';
import { type AuditedContext, insertAudit } from '../audit.ts';
import { reach, type Sql } from '../db.ts';
import type { Role } from '../roles.ts';
import type {
  OneVisitor,
  UnstoredMessage,
  VisitorAssociation,
  VisitorEvent,
  VisitorVisit,
} from './schemas.ts';
import { storedAssociations } from './stored-associations.ts';
import { storedEvents } from './stored-events.ts';
import { type StoredVisitor, storedVisits } from './stored-visits.ts';

/** All data of a visitor. The lists are read while the answer is sent, and only once. */
export interface ExportedVisitor {
  head: { siteId: string; visitorId: string; exportedAt: string };
  lists: {
    visits: AsyncIterable<VisitorVisit>;
    events: AsyncIterable<VisitorEvent>;
    associations: AsyncIterable<VisitorAssociation>;
    unstored: AsyncIterable<UnstoredMessage>;
  };
}

/**
 * All data of a tier 3 visitor; empty lists for an unknown visitor. Throws `NOT_FOUND` for the site, `FORBIDDEN` for viewers; the lists
 * throw if the database fails later. Writes the audit log before any read. The cost grows with the visitor's data; memory holds one page
 * of it.
 */
export async function exportVisitor(
  ctx: AuditedContext,
  { siteId, visitorId }: OneVisitor,
): Promise<ExportedVisitor> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), audited as (${insertAudit(ctx, 'visitor.export', visitorId)})
    select target.role, sites.key, coalesce(first_domain, domain) as domain from target join sites on sites.id = target.id
  `);
  const row = requireRole<{ role: Role; key: number; domain: string }>(rows, { what: 'site' });
  const visitor: StoredVisitor = { siteKey: row.key, domain: row.domain, visitorId };
  return {
    head: { siteId, visitorId, exportedAt: new Date(ctx.now()).toISOString() },
    lists: {
      visits: storedVisits(ctx.sql, visitor),
      events: storedEvents(ctx.sql, visitor),
      associations: storedAssociations(ctx.sql, visitor),
      unstored: unstoredMessages(ctx.sql, siteId, visitorId),
    },
  };
}

const MESSAGES_A_PAGE = 100;

/** Messages that couldn't be stored and contain the visitor's id. Reads the site's dead letters, by the index `dead_letters_site`. */
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
