import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { Sql } from '../../lib/db.ts';
import { type BenchSite, inBatches, makeBenchSite, runAll } from '../traffic-of-day.ts';
import { makeHelpers } from './bench-schema.ts';
import { DAY_MS, type PlannedDay, planDay } from './plan-day.ts';
import { plannedMessages } from './planned-messages.ts';
import { EVENTS_A_VISIT, REFUSED } from './site-population.ts';
import { rollUpVisitors, storeDay } from './store-day.ts';
import { storeMeasures } from './store-measures.ts';
import { writeDictionaries } from './write-dictionaries.ts';

export const DAYS = 90;
const HOUR_MS = 3_600_000;
const MESSAGES_A_BATCH = 100;
/** The crons run every quarter of an hour, so on average half a quarter isn't summed when a report runs. */
export const SINCE_CRONS_MS = 450_000;

export interface TrafficOptions {
  /** Number of page views and custom events; the site gets slightly more or fewer. */
  events: number;
  /** The end of the traffic, in epoch milliseconds. */
  now: number;
  days?: number;
  /** Number of last days that are sent as messages and folded; at least the two days that have raw events. */
  foldedDays?: number;
}

export interface FilledSite extends BenchSite {
  siteKey: number;
  now: number;
  /** Page views and custom events of all visits. */
  events: number;
  /** Additional engagement events: one for each page view at tier 3; and as many vitals events. */
  engagements: number;
  /** For the folded days: all events including engagement and vitals, and the time that `ingest_events` took. */
  folded: { events: number; seconds: number };
}

/** The days of the traffic; the last one ends at `now`. */
export function plannedDays({ events, now, days = DAYS }: TrafficOptions): PlannedDay[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const visitsADay = Math.round(events / EVENTS_A_VISIT / (days - 1 + (now - today) / DAY_MS));
  return Array.from({ length: days }, (_, number) => {
    const start = today - (days - 1 - number) * DAY_MS;
    return { number, start, visitsADay, ...(start === today && { until: now }) };
  });
}

/**
 * Fills an empty database with one site. All but the last days are stored set by set in the shape that the fold produces (a test
 * compares both), since folding 50 million events takes hours. The last days go through the fold.
 */
export async function fillSite(
  sql: Sql,
  options: TrafficOptions,
  onDay: (done: number, days: number) => void = () => {},
): Promise<FilledSite> {
  const { now, foldedDays = 2 } = options;
  await makeHelpers(sql);
  const site = await makeBenchSite(sql);
  const [{ siteKey } = {}] = await sql`select key as "siteKey" from sites where id = ${site.siteId}`;
  await sql.transaction(writeDictionaries(sql, siteKey));

  const days = plannedDays(options);
  const folded = { events: 0, seconds: 0 };
  for (const day of days) {
    await planDay(sql, day);
    const isFolded = day.number >= days.length - foldedDays;
    if (!isFolded) {
      await sql.transaction([
        ...storeDay(sql, siteKey, day.start),
        ...storeMeasures(sql, siteKey, day.start),
      ]);
    } else {
      if (day.number === days.length - foldedDays) await sql.transaction(rollUpVisitors(sql, siteKey));
      const { events, seconds } = await foldDay(sql, site.siteId, day, now);
      folded.events += events;
      folded.seconds += seconds;
    }
    await refusedDay(sql, siteKey, day.start, options.events);
    onDay(day.number + 1, days.length);
  }
  if (foldedDays === 0) await sql.transaction(rollUpVisitors(sql, siteKey));
  else await maintainVisits({ sql, now: () => now - SINCE_CRONS_MS });
  await sql`vacuum analyze visits, rollup_hours, rollup_visitors, rollup_engagement, rollup_vitals, events`;
  return { ...site, siteKey, now, ...(await countStored(sql, siteKey)), folded };
}

async function foldDay(sql: Sql, siteId: string, { start, until = start + DAY_MS }: PlannedDay, now: number) {
  const clock = Math.min(now, until);
  const filled = { events: 0, seconds: 0 };
  await maintainVisits({ sql, now: () => clock });
  for (let hour = start; hour < until; hour += HOUR_MS) {
    const messages = await plannedMessages(sql, siteId, hour, hour + HOUR_MS);
    const begun = performance.now();
    await runAll(inBatches(messages, MESSAGES_A_BATCH), 2, (batch: TrackMessage[]) =>
      foldBatch(sql, batch, clock),
    );
    filled.events += messages.length;
    filled.seconds += (performance.now() - begun) / 1000;
  }
  // Runs what autovacuum would do later.
  await sql`vacuum visits`;
  return filled;
}

/** A statement that stores what a day refused. */
export function refusedDay(sql: Sql, siteKey: number, start: number, events: number) {
  const refused = Object.entries(REFUSED).map(([reason, share]) => ({
    reason,
    events: Math.ceil((share * events) / 1e6),
  }));
  return sql`
    insert into dropped_days (site_key, day, reason, events)
    select ${siteKey}::integer, ${new Date(start).toISOString()}::timestamptz, reason, events
    from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) as r(reason text, events bigint)`;
}

async function countStored(sql: Sql, siteKey: number): Promise<Pick<FilledSite, 'events' | 'engagements'>> {
  const [row] = await sql`
    select sum(views + acts)::float8 as events, (sum(views) filter (where tier = 3))::float8 as engagements
    from (
      select tier, (entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2 as views,
        coalesce(cardinality(custom_events), 0) / 2 as acts
      from visits where site_key = ${siteKey} and profile_id > 0
    ) v`;
  return row as Pick<FilledSite, 'events' | 'engagements'>;
}
