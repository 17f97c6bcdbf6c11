import { reach, type Sql } from '../db.ts';
import type { VisitorEvent } from './schemas.ts';
import {
  type EntriesRow,
  joinDictionaries,
  readEntries,
  type StoredVisitor,
  selectDictionaries,
} from './stored-visits.ts';

interface EventRow extends EntriesRow, Pick<VisitorEvent, 'path' | 'name' | 'continued' | 'screen' | 'data'> {
  event_id: string;
  occurred_at: Date;
  kind: keyof typeof TYPES;
  page_id: string | null;
  engaged_ms: number | null;
  scroll_depth: number | null;
}

/** Names of the numbers in `events.kind`. */
const TYPES = {
  1: 'pageview',
  2: 'event',
  3: 'engagement',
  4: 'vitals',
  5: 'association',
  6: 'consent',
} as const;

const EVENTS_A_PAGE = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A visitor's raw events that are still kept, oldest first. Each event lies within a visit, so the query reads only the visits' times by
 * the index `events_time`.
 */
export async function* storedEvents(
  sql: Sql,
  { siteKey, domain, visitorId }: StoredVisitor,
): AsyncGenerator<VisitorEvent> {
  let after = { at: '-infinity', id: FIRST_ID };
  while (true) {
    const rows = (await reach(sql`
      select of.*, path.value as path, name.value as name, ${selectDictionaries(sql)}
      from (
        select e.*
        from visits v
        cross join lateral (
          select * from events e
          where e.site_key = v.site_key and e.kind > 0 and e.tier = 3 and e.visitor_id = v.visitor_id
            and e.occurred_at >= v.started_at and e.occurred_at <= visit_time(v.started_at, v.duration_ms)
        ) e
        where v.site_key = ${siteKey}
          and v.visitor_id = ${visitorId}::uuid and v.tier = 3
          and visit_time(v.started_at, v.duration_ms) >= ${after.at}::timestamptz
          and (e.occurred_at, e.event_id) > (${after.at}::timestamptz, ${after.id}::uuid)
        order by e.occurred_at, e.event_id
        limit ${EVENTS_A_PAGE}
      ) of
      ${joinDictionaries(sql)}
      left join site_texts path on path.site_key = of.site_key and path.id = of.path_id and path.id > 0
      left join site_texts name on name.site_key = of.site_key and name.id = of.name_id and name.id > 0
      order by of.occurred_at, of.event_id
    `)) as EventRow[];
    yield* rows.map((row) => toEvent(row, domain));
    const last = rows.at(-1);
    if (last === undefined || rows.length < EVENTS_A_PAGE) return;
    after = { at: last.occurred_at.toISOString(), id: last.event_id };
  }
}

/** The values of the dictionaries. Only page views and custom events have an address, and so a host. */
function withHost(row: EventRow, domain: string) {
  const entries = readEntries(row);
  const hostname = entries.origin.hostname ?? (row.path === null ? null : domain);
  return { ...entries, origin: { ...entries.origin, hostname } };
}

const toEvent = (row: EventRow, domain: string): VisitorEvent => ({
  id: row.event_id,
  time: row.occurred_at.toISOString(),
  type: TYPES[row.kind],
  pageId: row.page_id,
  path: row.path,
  name: row.name,
  continued: row.continued,
  screen: row.screen,
  engagement: row.engaged_ms === null ? null : row.engaged_ms / 1000,
  scrollDepth: row.scroll_depth,
  ...withHost(row, domain),
  data: row.data,
});
