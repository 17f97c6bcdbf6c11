import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';

export interface StoredImport {
  id: string;
  source: string;
  /** Dates in the site's zone, both inclusive. */
  from: string;
  to: string;
  rows: number;
}

/** The days of a site that are free for an import. */
export interface ImportRoom {
  domain: string;
  timezone: string;
  /** The first day that the site's policy keeps; null: it keeps everything. */
  oldest: string | null;
  /**
   * The first day that no import may have: the day of the site's own first event, or yesterday, because events for yesterday may still
   * arrive.
   */
  end: string;
  /** Earlier imports, newest first. */
  imports: StoredImport[];
}

/**
 * Reads which days are free for an import. Servers may send events of the last 24 hours (docs/events.md), so today and yesterday may still
 * get events of the site's own. Three lookups by primary key.
 *
 * @throws `NOT_FOUND`, `UNAVAILABLE`
 */
export async function readImportRoom({ sql, now }: Ports, siteId: string): Promise<ImportRoom> {
  const instant = new Date(now()).toISOString();
  const [room] = await reach(sql`
    select domain, timezone, to_char(today - make_interval(months => retention_months), 'YYYY-MM-DD') as oldest,
      to_char(least(today - 1, (first_event_at at time zone timezone)::date), 'YYYY-MM-DD') as end,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', i.id, 'source', i.source, 'from', i.from_day, 'to', i.to_day, 'rows', i.rows)
          order by i.created_at desc, i.id)
        from site_imports i where i.site_key = key and i.finished_at is not null), '[]') as imports
    from sites
    cross join lateral (select (${instant}::timestamptz at time zone timezone)::date) as present(today)
    left join site_freshness on site_key = key
    where id = ${siteId}::uuid`);
  if (room === undefined) throw notFound('site');
  return room as ImportRoom;
}
