import { reach, type Sql } from '../db.ts';
import { byField } from '../visits/dimensions.ts';
import type { Vital } from '../visits/vital-bounds.ts';
import type { VisitorVisit } from './schemas.ts';

/** A tier 3 visitor of the site with this key. */
export interface StoredVisitor {
  siteKey: number;
  /** The site's host, which dictionaries leave out. */
  domain: string;
  visitorId: string;
}

interface VisitRow extends EntriesRow {
  continued: boolean;
  consent_page: string | null;
  started_at: Date;
  duration_ms: number | null;
  engaged_ms: number | null;
  pages: { ms: number; path: string }[] | null;
  events: { ms: number; name: string; data: unknown }[] | null;
  page_data: ({ ms: number; props?: unknown } | null)[] | null;
  loads: ({ ms: number; path: string } & Record<Vital, number | null>)[] | null;
}

/** Few enough for memory: each visit has at most 500 page views and 500 events. */
const VISITS_A_PAGE = 20;

/** Selects the entries of the joined dictionaries as `profile`, `place` and `origin`. */
export const selectDictionaries = (sql: Sql) =>
  sql`to_json(profile) as profile, to_json(place) as place, to_json(origin) as origin`;

type Entry = Record<string, string | null> | null;
/** The columns of `selectDictionaries`. */
export type EntriesRow = Record<'profile' | 'place' | 'origin', Entry>;

/** The values of the entries, with the names that they have in messages. */
export const readEntries = ({ profile, place, origin }: EntriesRow) => ({
  profile: byField('profile', (name) => profile?.[name] ?? null),
  place: byField('place', (name) => place?.[name] ?? null),
  origin: byField('origin', (name) => origin?.[name] ?? null),
});

/** Joins the dictionaries that `selectDictionaries` reads to the rows named `of`. Uses the unique indexes on their ids. */
export const joinDictionaries = (sql: Sql) => sql`
  left join site_profiles profile on profile.site_key = of.site_key and profile.id = of.profile_id and profile.id > 0
  left join site_places place on place.site_key = of.site_key and place.id = of.place_id and place.id > 0
  left join site_origins origin on origin.site_key = of.site_key and origin.id = of.origin_id and origin.id > 0`;

/** A visitor's visits, oldest first, one page at a time. Uses the index `visits_by_visitor`. */
export async function* storedVisits(
  sql: Sql,
  { siteKey, domain, visitorId }: StoredVisitor,
): AsyncGenerator<VisitorVisit> {
  let after = '-infinity';
  while (true) {
    const rows = (await reach(sql`
      select of.started_at, of.duration_ms, of.engaged_ms, of.continued, of.page_data, ${selectDictionaries(sql)},
        (select json_agg(json_build_object('ms', page.ms, 'path', t.value) order by page.ms)
          from (
            select coalesce(of.entry_ms, 0) as ms, of.entry_page as text_id where of.entry_page is not null
            union all select ms, text_id from hits_of(of.later_pages)
          ) page
          join site_texts t on t.site_key = of.site_key and t.id = page.text_id and t.id > 0) as pages,
        (select json_agg(json_build_object('ms', event.ms, 'name', t.value, 'data', event.data) order by event.ms)
          from events_of(of.custom_events, of.event_data) as event
          join site_texts t on t.site_key = of.site_key and t.id = event.text_id and t.id > 0) as events,
        (select json_agg(json_build_object('ms', load.ms, 'path', t.value, 'lcp', lcp / 10.0, 'inp', inp / 10.0,
            'cls', cls / 10000.0, 'fcp', fcp / 10.0, 'ttfb', ttfb / 10.0) order by load.ms)
          from loads_of(of.vitals) as load
          join site_texts t on t.site_key = of.site_key and t.id = load.path_id and t.id > 0) as loads,
        (select value from site_texts where site_key = of.site_key and id = of.consent_page and id > 0) as consent_page
      from visits of
      ${joinDictionaries(sql)}
      where of.site_key = ${siteKey}
        and of.visitor_id = ${visitorId}::uuid and of.tier = 3
        and of.started_at > ${after}::timestamptz
      order by of.started_at
      limit ${VISITS_A_PAGE}
    `)) as VisitRow[];
    yield* rows.map((row) => toVisit(row, domain));
    if (rows.length < VISITS_A_PAGE) return;
    after = rows.at(-1)?.started_at.toISOString() ?? 'infinity';
  }
}

function toVisit(row: VisitRow, domain: string): VisitorVisit {
  const startedAt = row.started_at.getTime();
  const entries = readEntries(row);
  const { hostname, source } = entries.origin;
  const timeOf = (ms: number) => new Date(startedAt + ms).toISOString();
  return {
    startedAt: timeOf(0),
    duration: (row.duration_ms ?? 0) / 1000,
    engagement: row.engaged_ms === null ? null : row.engaged_ms / 1000,
    continued: row.continued,
    consentPage: row.consent_page,
    ...entries,
    origin: { ...entries.origin, hostname: hostname ?? domain, source: source ?? 'Direct' },
    pages: (row.pages ?? []).map(({ ms, path }) => ({ time: timeOf(ms), path })),
    pageProps: (row.page_data ?? []).flatMap((data) =>
      data?.props === undefined ? [] : [{ time: timeOf(data.ms), props: data.props }],
    ),
    events: (row.events ?? []).map(({ ms, name, data }) => ({ time: timeOf(ms), name, data })),
    vitals: (row.loads ?? []).map(({ ms, ...load }) => ({ time: timeOf(ms), ...load })),
  };
}
