import { reach, type Sql } from '../db.ts';
import type { VisitorAssociation } from './schemas.ts';
import type { StoredVisitor } from './stored-visits.ts';

interface Row {
  occurred_at: Date;
  viewed_at: Date | null;
  page_id: string;
  trace_id: string;
  origin: string;
  status: number | null;
  sent: boolean;
}

const A_PAGE = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Traces of backends that a visitor's pages reported, month by month, one page at a time. Uses the primary key of `associations`: each page
 * reads all of the visitor's.
 */
export async function* storedAssociations(
  sql: Sql,
  { siteKey, visitorId }: Pick<StoredVisitor, 'siteKey' | 'visitorId'>,
): AsyncGenerator<VisitorAssociation> {
  let after = { at: '-infinity', page: FIRST_ID, trace: FIRST_ID };
  while (true) {
    const rows = (await reach(sql`
      select occurred_at, viewed_at, page_id, trace_id, origin, status, sent from associations
      where site_key = ${siteKey} and visitor_id = ${visitorId}::uuid
        and (occurred_at, page_id, trace_id) > (${after.at}::timestamptz, ${after.page}::uuid, ${after.trace}::uuid)
      order by occurred_at, page_id, trace_id
      limit ${A_PAGE}
    `)) as Row[];
    yield* rows.map(({ occurred_at, viewed_at, page_id, trace_id, origin, status, sent }) => ({
      time: occurred_at.toISOString(),
      pageId: page_id,
      pageViewedAt: viewed_at?.toISOString() ?? null,
      traceId: trace_id.replaceAll('-', ''),
      ...{ origin, status, sent },
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < A_PAGE) return;
    after = { at: last.occurred_at.toISOString(), page: last.page_id, trace: last.trace_id };
  }
}
