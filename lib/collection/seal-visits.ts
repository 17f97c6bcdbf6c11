import { NeonDbError } from '@neondatabase/serverless';
import type { Ports } from '../context.ts';

const DAYS_AT_ONCE = 50;

/** A day that could not be sealed. It is tried again later (`seal_faults`). */
export interface SealFault {
  siteKey: number;
  day: string;
  fault: NeonDbError;
}

/**
 * Sums up days that ended (schema/functions/seal-days.sql), round the sites, until nothing is left to do or the time is over: what is left
 * comes next time. Each day takes two statements, since changes must see that it is being summed up before its visits are read. A day
 * that can't be sealed keeps no other back: it is remembered, and tried again after a time.
 *
 * @throws when the database is out of reach
 */
export async function sealVisits(
  { sql, now }: Ports,
  options: { timeMs: number },
): Promise<{ sealedDays: number; faults: SealFault[] }> {
  const end = now() + options.timeMs;
  const faults: SealFault[] = [];
  let sealedDays = 0;
  for (let isMore = true; isMore && now() < end; ) {
    const instant = new Date(now()).toISOString();
    const due =
      await sql`select site_key, day::text from days_to_seal(${instant}::timestamptz, ${DAYS_AT_ONCE}::integer)`;
    const before = sealedDays + faults.length;
    for (const { site_key: siteKey, day } of due) {
      if (now() >= end) break;
      const fault = await orFault({ sql, now }, { siteKey, day }, async () => {
        await sql`select begin_seal(${siteKey}::integer, ${day}::date, ${instant}::timestamptz)`;
        const [ended] = await sql`select end_seal(${siteKey}::integer, ${day}::date) as sealed`;
        if (ended?.sealed === true) sealedDays += 1;
      });
      faults.push(...fault);
    }
    isMore = sealedDays + faults.length > before;
  }
  faults.push(...(await resealTargets({ sql, now }, { timeMs: end - now() })));
  return { sealedDays, faults };
}

/**
 * Brings sealed days of a site, or of all sites, up to the goals and funnels as they are now (schema/functions/seal-hits.sql), until nothing is
 * left to do or the time is over. Until then reports read these days from their visits. Returns the days that it couldn't.
 */
export async function resealTargets(
  { sql, now }: Ports,
  { siteId, timeMs }: { siteId?: string; timeMs: number },
): Promise<SealFault[]> {
  const end = now() + timeMs;
  const faults: SealFault[] = [];
  for (let isMore = true; isMore && now() < end; ) {
    const instant = new Date(now()).toISOString();
    const due = await sql`
      select site_key, day::text
      from targets_to_seal(${siteId ?? null}::uuid, ${instant}::timestamptz, ${DAYS_AT_ONCE}::integer)`;
    for (const { site_key: siteKey, day } of due) {
      if (now() >= end) break;
      const fault = await orFault({ sql, now }, { siteKey, day }, async () => {
        await sql`select reseal_day(${siteKey}::integer, ${day}::date)`;
      });
      faults.push(...fault);
    }
    isMore = due.length > 0;
  }
  return faults;
}

/** Does the work of a day. If the database refuses it, that is remembered, and returned. */
async function orFault(
  { sql, now }: Ports,
  { siteKey, day }: { siteKey: number; day: string },
  work: () => Promise<void>,
): Promise<SealFault[]> {
  try {
    await work();
    return [];
  } catch (fault) {
    // Without a code it didn't answer at all: no other day would do better.
    if (!(fault instanceof NeonDbError) || !fault.code) throw fault;
    const instant = new Date(now()).toISOString();
    await sql`select note_seal_fault(${siteKey}::integer, ${day}::date, ${fault.code}, ${instant}::timestamptz)`;
    return [{ siteKey, day, fault }];
  }
}
