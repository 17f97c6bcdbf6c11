import { createHash } from 'node:crypto';
import type { Channel } from '../../lib/collection/channels.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import type { Sql } from '../../lib/db.ts';

const MINUTE_MS = 60_000;
/** The share of a page's time with attention, as in `storeDay`. */
const attentionOf = (paceMs: number): number => Math.floor((paceMs * 7) / 10);
const scrollDepthOf = (page: number): number => (20 + page * 30) % 101;
/** Time from a page view to its vitals. */
export const VITALS_MS = 2000;

type Metric = 'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb';
type PlannedEvent = Extract<StoredEvent, { type: 'event' }>;

interface PlannedVisit {
  visit: string;
  tier: 1 | 2 | 3;
  continued: boolean;
  started: number;
  visitor_id: string | null;
  machine: { device: 'desktop'; browser: string; os: string; screen: string };
  place: { country: string; region: string; city: string; language: string };
  origin: {
    source?: string;
    channel?: Channel;
    utm_source?: string;
    utm_medium?: string;
    utm_campaign?: string;
  };
  hostname: string;
  pages: { ms: number; path: string; title: string; vitals: Partial<Record<Metric, number>> }[];
  pace_ms: number;
  act: { ms: number; name: string; data: Pick<PlannedEvent, 'props' | 'revenue'> | null } | null;
}

/**
 * The messages that `track` would have sent for the visits of `bench.plan` that begin in [from, to), ordered by time. They are the same at
 * each call, so folding them again counts nothing twice.
 */
export async function plannedMessages(
  sql: Sql,
  siteId: string,
  from: number,
  to: number,
): Promise<TrackMessage[]> {
  const [, rows] = await sql.transaction([
    sql`select set_config('jit', 'off', true)`,
    sql`
    select visit::text, tier, continued, (extract(epoch from started_at) * 1000)::bigint::float8 as started, visitor_id,
      to_jsonb(machines) as machine, to_jsonb(places) as place, coalesce(jsonb_strip_nulls(to_jsonb(origins)), '{}') as origin,
      case host when 1 then 'shop.' else '' end || sites.domain as hostname,
      (select jsonb_agg(
          jsonb_build_object('ms', hit.ms, 'path', path, 'title', title, 'vitals', vitals.data) order by hit.ms)
        from hits_of(pages) hit join bench.pages page on page.rank = hit.text_id
        cross join lateral bench.vitals(visit, hit.ms / pace_ms) vitals) as pages,
      pace_ms, case when act is not null then jsonb_build_object('ms', act_ms, 'name', acts.name, 'data', act_data) end as act
    from bench.plan
    join sites on sites.id = ${siteId}::uuid
    join bench.machines on machines.rank = plan.machine
    join bench.places on places.rank = plan.place
    left join bench.origins on origins.rank = plan.origin
    left join bench.acts on acts.rank = plan.act
    where started_at >= ${new Date(from).toISOString()}::timestamptz and started_at < ${new Date(to).toISOString()}::timestamptz`,
  ]);
  const messages = (rows as PlannedVisit[]).flatMap((visit) => messagesOf(siteId, visit));
  return messages.sort((a, b) => startOf(a) - startOf(b));
}

const startOf = ({ events: [first] }: TrackMessage): number => first?.at ?? 0;

function messagesOf(siteId: string, visit: PlannedVisit): TrackMessage[] {
  const { tier, continued, machine, place, hostname, pace_ms } = visit;
  const at = (ms: number): number => {
    const instant = visit.started + ms;
    return tier === 1 ? instant - (instant % MINUTE_MS) : instant;
  };
  const message = (event: StoredEvent): TrackMessage => ({
    version: 1,
    siteId,
    tier,
    continued,
    country: place.country,
    device: machine.device,
    browser: machine.browser,
    ...(tier > 1 && {
      region: place.region,
      city: place.city,
      language: place.language,
      screen: machine.screen,
      visitorId: visit.visitor_id ?? '',
    }),
    ...(tier === 3 && { os: machine.os }),
    events: [event],
  });

  const idOf = (what: string): string => uuidOf(`${siteId} ${visit.visit} ${what}`);
  const messages = visit.pages.flatMap(({ ms, path, title, vitals }, n) => {
    const pageId = idOf(`page ${n}`);
    const view = message({
      type: 'pageview',
      id: idOf(`view ${n}`),
      at: at(ms),
      hostname,
      path,
      entry: n === 0,
      ...(n === 0 && originOf(visit)),
      ...(tier > 1 && { pageId, title }),
    });
    if (tier < 3) return [view];
    const scrollDepth = scrollDepthOf(n);
    const loaded = { id: idOf(`vitals ${n}`), at: at(ms + VITALS_MS), hostname, path, pageId };
    const left = { id: idOf(`engagement ${n}`), at: at(ms + pace_ms - 1), pageId };
    return [
      view,
      message({ type: 'vitals', ...loaded, ...vitals }),
      message({ type: 'engagement', ...left, seconds: attentionOf(pace_ms) / 1000, scrollDepth }),
    ];
  });
  if (visit.act === null) return messages;
  const { ms, name, data } = visit.act;
  const path = visit.pages.at(-1)?.path ?? '/';
  return [
    ...messages,
    message({ type: 'event', id: idOf('act'), at: at(ms), hostname, path, name, ...data }),
  ];
}

/** An id that looks random and is the same each time. */
const uuidOf = (text: string): string =>
  createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

function originOf({ origin }: PlannedVisit) {
  const { source, channel, utm_source, utm_medium, utm_campaign } = origin;
  return {
    ...(source !== undefined && { source }),
    ...(channel !== undefined && { channel }),
    ...(utm_source !== undefined && { utmSource: utm_source }),
    ...(utm_medium !== undefined && { utmMedium: utm_medium }),
    ...(utm_campaign !== undefined && { utmCampaign: utm_campaign }),
  };
}
