/** What the database stores of a site, in the oracle's types. */
import type { Sql } from '../../lib/db.ts';
import { byName } from '../oracle/dimensions.ts';
import { canonical, type OracleVisit } from '../oracle/visits.ts';

const byText = (a: Hit, b: Hit) =>
  a.at - b.at || compare(a.text, b.text) || compare(a.data ?? '', b.data ?? '');
const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

interface Hit {
  at: number;
  text: string;
  data?: string | null;
}

/** Visits in a fixed order, so that two sets can be compared. */
export function sortVisits(visits: readonly OracleVisit[]): OracleVisit[] {
  return visits
    .map((visit) => ({
      ...visit,
      pages: visit.pages.toSorted(byText),
      pageProps: visit.pageProps.toSorted((a, b) => a.at - b.at || compare(a.data, b.data)),
      events: visit.events.toSorted(byText),
      loads: visit.loads.toSorted((a, b) => a.at - b.at || compare(JSON.stringify(a), JSON.stringify(b))),
    }))
    .sort((a, b) => a.startedAt - b.startedAt || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

export async function storedVisits(sql: Sql, siteId: string): Promise<OracleVisit[]> {
  const [, rows = []] = await sql.transaction([
    // Tables that nobody has analyzed are read by their indexes.
    sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true)`,
    sql`
    select v.*, to_jsonb(profile) || to_jsonb(place) || to_jsonb(origin) as dictionary,
      (extract(epoch from started_at) * 1000)::bigint::float8 as start,
      (select json_agg(json_build_object('ms', h.ms, 'text', t.value) order by n)
        from (select 0 as n, coalesce(entry_ms, 0) as ms, entry_page as text_id where entry_page is not null
          union all select row_number() over (), ms, text_id from hits_of(later_pages)) h
        join site_texts t on t.site_key = v.site_key and t.id = h.text_id) as pages,
      (select json_agg(json_build_object('ms', h.ms, 'text', t.value, 'data', h.data))
        from events_of(custom_events, event_data) h join site_texts t on t.site_key = v.site_key and t.id = h.text_id) as events,
      (select json_agg(json_build_object('ms', ms, 'data', data)) from page_data_of(page_data)) as page_props,
      (select json_agg(json_build_object('ms', l.ms, 'path', t.value, 'values', array[l.lcp, l.inp, l.cls, l.fcp, l.ttfb]))
        from loads_of(vitals) l join site_texts t on t.site_key = v.site_key and t.id = l.path_id) as loads,
      (select t.value from site_texts t where t.site_key = v.site_key and t.id = v.consent_page) as consented_on
    from visits v join sites on sites.key = v.site_key
      join site_profiles profile on profile.site_key = v.site_key and profile.id = v.profile_id
      join site_places place on place.site_key = v.site_key and place.id = v.place_id
      join site_origins origin on origin.site_key = v.site_key and origin.id = v.origin_id
    where sites.id = ${siteId}`,
  ]);
  return rows.map((row) => {
    const ordered = (hits: { ms: number; text: string }[] | null) =>
      (hits ?? []).map(({ ms, text }) => ({ at: row.start + ms, text }));
    const brought = (hits: { ms: number; text: string; data: unknown }[] | null) =>
      (hits ?? []).map(({ ms, text, data }) => ({
        at: row.start + ms,
        text,
        data: data === null ? null : canonical(data),
      }));
    return {
      tier: row.tier,
      visitorId: row.visitor_id,
      startedAt: row.start,
      endedAt: row.start + (row.duration_ms ?? 0),
      continued: row.continued,
      consentPage: row.consented_on,
      counted: row.counted,
      newcomer: row.newcomer === true,
      engagedMs: row.engaged_ms,
      pages: ordered(row.pages),
      pageProps: ((row.page_props ?? []) as { ms: number; data: unknown }[]).map(({ ms, data }) => ({
        at: row.start + ms,
        data: canonical(data),
      })),
      events: brought(row.events),
      loads: ((row.loads ?? []) as { ms: number; path: string; values: (number | null)[] }[]).map(
        ({ ms, path, values }) => ({ at: row.start + ms, path, values }),
      ),
      values: valuesOf(row.dictionary),
    };
  });
}

const valuesOf = (dictionary: Record<string, string | null>) => byName((name) => dictionary[name] ?? null);

export interface StoredRollups {
  hours: Record<string, unknown>[];
  visitors: Record<string, unknown>[];
  dropped: Record<string, unknown>[];
}

/** Rollups as plain rows. A row whose counters are zero counts as absent. */
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
        from dropped_days d join sites on sites.key = d.site_key where sites.id = ${siteId} and events <> 0 order by 1, 2`,
  ]);
  return { hours, visitors, dropped };
}
