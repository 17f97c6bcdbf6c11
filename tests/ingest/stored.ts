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
    .sort((a, b) => a.startedAt - b.startedAt || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

export async function storedVisits(sql: Sql, siteId: string): Promise<OracleVisit[]> {
  const rows = await sql`
    select v.*, profile.country, profile.device, profile.browser,
      (extract(epoch from started_at) * 1000)::bigint::float8 as start,
      (select json_agg(json_build_object('ms', h.ms, 'text', t.value) order by n)
        from (select 0 as n, entry_ms as ms, entry_page as text_id where entry_page is not null
          union all select row_number() over (), ms, text_id from hits_of(later_pages)) h
        join site_texts t on t.site_key = v.site_key and t.id = h.text_id) as pages,
      (select json_agg(json_build_object('ms', h.ms, 'text', t.value))
        from hits_of(custom_events) h join site_texts t on t.site_key = v.site_key and t.id = h.text_id) as events
    from visits v join sites on sites.key = v.site_key
      join site_profiles profile on profile.site_key = v.site_key and profile.id = v.profile_id
    where sites.id = ${siteId}`;
  return rows.map((row) => {
    const placed = (hits: { ms: number; text: string }[] | null) =>
      (hits ?? []).map(({ ms, text }) => ({ at: row.start + ms, text }));
    return {
      tier: row.tier,
      visitorId: row.visitor_id,
      startedAt: row.start,
      endedAt: row.start + row.duration_ms,
      continued: row.continued,
      counted: row.counted,
      engagedMs: row.engaged_ms,
      pages: placed(row.pages),
      events: placed(row.events),
      source: row.source,
      device: row.device,
      browser: row.browser,
      country: row.country,
      utmCampaign: row.utm_campaign,
    };
  });
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
        from rollup_hours r join sites on sites.key = r.site_key where sites.id = ${siteId} and (pageviews, visits, measured, bounces, duration_ms) <> (0, 0, 0, 0, 0)
        order by 1, 2`,
    sql`select unit, (extract(epoch from bucket) * 1000)::bigint::float8 as bucket, tier,
          case when previous = '-infinity' then null else (extract(epoch from previous) * 1000)::bigint::float8 end as previous,
          visitors::int
        from rollup_visitors r join sites on sites.key = r.site_key where sites.id = ${siteId} and visitors <> 0 order by 1, 2, 3, 4 nulls first`,
    sql`select (extract(epoch from day) * 1000)::bigint::float8 as day, reason, events::int
        from dropped_days d join sites on sites.key = d.site_key where sites.id = ${siteId} order by 1, 2`,
  ]);
  return { hours, visitors, dropped };
}
