import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { Sql } from '../../lib/db.ts';
import { generateBuyers } from './generate-buyers.ts';
import { generateDay, generatePresent, startOf } from './generate-traffic.ts';
import { inSteps } from './in-steps.ts';
import type { Order } from './telemetry/backend-day.ts';

const DAY_MS = 86_400_000;
/** The shop was smaller before. */
const EARLIER_VISITS_A_DAY = 330;
const SEALING_MS = 5 * 60 * 1000;
/** Today and yesterday still have raw events, so a repeated event counts once. */
const REPEATABLE_DAYS = 2;

export interface FillOptions {
  sql: Sql;
  siteId: string;
  days: number;
  /** Days before these, with fewer visits: what the last days are compared with. */
  earlierDays?: number;
  seed: number;
  /** Number of visits on an average weekday. */
  visitsPerDay?: number;
  /** The backend's orders of a day (epoch milliseconds of its start), some of which visits report. Default: none. */
  ordersOf?: (day: number) => readonly Order[];
  /** Epoch milliseconds; no event is later. */
  now: number;
  /** Called after each day. */
  onDay: (progress: { day: number; of: number; stored: number; skipped: boolean }) => void;
}

/**
 * Stores generated traffic with the clock of each day, as the ingest function would have, and seals the days that ended. Filling again adds only missing events: a
 * past day with visits is unchanged, and the last two days get the events that they lack. Some visitors are on the site at `now`.
 * Returns the number of stored events.
 */
export async function fillSite(options: FillOptions): Promise<number> {
  const { sql, siteId, earlierDays = 0, now, onDay, ordersOf = () => [] } = options;
  const days = earlierDays + options.days;
  const today = now - (now % DAY_MS);
  const first = today - (days - 1) * DAY_MS;
  const known = await listDays(sql, siteId, first);
  let stored = 0;
  // Oldest first: an older visit of somebody who came again breaks the seals of later days.
  for (let index = 0; index < days; index++) {
    const day = first + index * DAY_MS;
    const skipped = index < days - REPEATABLE_DAYS && known.has(day);
    if (!skipped) {
      const traffic = index < earlierDays ? { ...options, visitsPerDay: EARLIER_VISITS_A_DAY } : options;
      const messages = [...generateDay(traffic, day), ...generateBuyers(traffic, day, ordersOf(day))];
      const past = messages.filter(({ events }) => events.every(({ at }) => at <= now));
      stored += await store(
        sql,
        past.sort((a, b) => startOf(a) - startOf(b)),
      );
    }
    onDay({ day: index + 1, of: days, stored, skipped });
  }
  stored += await store(sql, generatePresent(options, now));
  await maintainVisits({ sql, now: () => now });
  // Whoever opens the demo now shouldn't wait for the next cron.
  await sealVisits({ sql, now: () => now }, { timeMs: SEALING_MS });
  return stored;
}

/** Days since `first` (epoch milliseconds of their start) on which the site has visits. */
async function listDays(sql: Sql, siteId: string, first: number): Promise<Set<number>> {
  const rows = await sql`
    select distinct (floor(extract(epoch from started_at) / 86400) * 86400000)::text as day
    from visits join sites on sites.key = visits.site_key
    where sites.id = ${siteId} and started_at >= ${new Date(first).toISOString()}`;
  return new Set(rows.map(({ day }) => Number(day)));
}

/** Stores each batch with the clock of its last message. Returns the number of new events. */
async function store(sql: Sql, messages: readonly TrackMessage[]): Promise<number> {
  let stored = 0;
  await inSteps(messages, async (batch) => {
    const at = Math.max(...batch.map(startOf));
    const result = await ingestMessages({ sql, now: () => at }, batch);
    if (result.dead > 0) throw new Error(`${result.dead} made-up messages were refused: see dead_letters`);
    stored += result.stored;
  });
  return stored;
}
