/** What the database holds of a site, in the oracle's words. */
import type { Sql } from '../../lib/db.ts';
import type { OracleVisit } from '../oracle/visits.ts';

const byText = (a: { at: number; text: string }, b: { at: number; text: string }) =>
  a.at - b.at || (a.text < b.text ? -1 : 1);

/** Visits in an order of their own, so that two sets of them can be compared. */
export function sortVisits(visits: readonly OracleVisit[]): OracleVisit[] {
  return visits
    .map((visit) => ({
      ...visit,
      pages: visit.pages.toSorted(byText),
      events: visit.events.toSorted(byText),
    }))
    .sort((a, b) => a.startedAt - b.startedAt || (a.visitId < b.visitId ? -1 : 1));
}

export async function storedVisits(sql: Sql, siteId: string): Promise<OracleVisit[]> {
  const rows = await sql`
    select v.*, (extract(epoch from started_at) * 1000)::bigint::float8 as start,
      (select json_agg(t.value order by n) from unnest(page_ids) with ordinality as p(id, n)
        join site_texts t on t.site_id = v.site_id and t.id = p.id) as page_texts,
      (select json_agg(t.value order by n) from unnest(event_ids) with ordinality as p(id, n)
        join site_texts t on t.site_id = v.site_id and t.id = p.id) as event_texts
    from visits v where site_id = ${siteId}`;
  return rows.map((row) => ({
    tier: row.tier,
    visitorId: row.visitor_id,
    startedAt: row.start,
    endedAt: row.start + row.duration_ms,
    visitId: row.visit_id,
    continued: row.continued,
    counted: row.counted,
    engagedMs: row.engaged_ms,
    pages: (row.page_ms ?? []).map((ms: number, n: number) => ({
      at: row.start + ms,
      text: row.page_texts[n],
    })),
    events: (row.event_ms ?? []).map((ms: number, n: number) => ({
      at: row.start + ms,
      text: row.event_texts[n],
    })),
    source: row.source,
    device: row.device,
    browser: row.browser,
    country: row.country,
    utmCampaign: row.utm_campaign,
  }));
}

export interface StoredRollups {
  hours: Record<string, unknown>[];
  visitors: Record<string, unknown>[];
  dropped: Record<string, unknown>[];
}

/** Rollups as plain rows; counters that came back to zero are as good as absent. */
export async function storedRollups(sql: Sql, siteId: string): Promise<StoredRollups> {
  const [hours = [], visitors = [], dropped = []] = await sql.transaction([
    sql`select (extract(epoch from hour) * 1000)::bigint::float8 as hour, tier, pageviews::int, visits::int, measured::int,
          bounces::int, duration_ms::int
        from rollup_hours where site_id = ${siteId} and (pageviews, visits, measured, bounces, duration_ms) <> (0, 0, 0, 0, 0)
        order by 1, 2`,
    sql`select unit, (extract(epoch from bucket) * 1000)::bigint::float8 as bucket, tier,
          case when previous = '-infinity' then null else (extract(epoch from previous) * 1000)::bigint::float8 end as previous,
          visitors::int
        from rollup_visitors where site_id = ${siteId} and visitors <> 0 order by 1, 2, 3, 4 nulls first`,
    sql`select (extract(epoch from day) * 1000)::bigint::float8 as day, reason, events::int
        from dropped_days where site_id = ${siteId} order by 1, 2`,
  ]);
  return { hours, visitors, dropped };
}
