import type { Ports } from '../context.ts';

const DAYS_AT_ONCE = 50;

/**
 * Sums up days that ended (schema/functions/seal-days.sql), until nothing is left to do or the time is over: what is left comes next time.
 * Each day takes two statements, since changes must see that it is being summed up before its visits are read. A day that can't be
 * sealed doesn't keep the others back; its fault is thrown at the end.
 */
export async function sealVisits(
  { sql, now }: Ports,
  options: { timeMs: number },
): Promise<{ sealedDays: number }> {
  const end = now() + options.timeMs;
  const faults: unknown[] = [];
  let sealedDays = 0;
  for (let isMore = true; isMore && now() < end; ) {
    const instant = new Date(now()).toISOString();
    const due =
      await sql`select site_key, day::text from days_to_seal(${instant}::timestamptz, ${DAYS_AT_ONCE}::integer)`;
    let sealed = 0;
    for (const { site_key, day } of due) {
      if (now() >= end) break;
      try {
        await sql`select begin_seal(${site_key}::integer, ${day}::date, ${instant}::timestamptz)`;
        const [ended] = await sql`select end_seal(${site_key}::integer, ${day}::date) as sealed`;
        if (ended?.sealed === true) sealed += 1;
      } catch (fault) {
        faults.push(fault);
      }
    }
    sealedDays += sealed;
    isMore = sealed > 0 && due.length === DAYS_AT_ONCE;
  }
  await resealTargets({ sql, now }, { timeMs: end - now() });
  if (faults.length > 0) throw new AggregateError(faults, 'Some days could not be sealed');
  return { sealedDays };
}

/**
 * Brings sealed days of a site, or of all sites, up to the goals and funnels as they are now (schema/functions/seal-hits.sql), until nothing is
 * left to do or the time is over. Until then reports read these days from their visits.
 */
export async function resealTargets(
  { sql, now }: Ports,
  { siteId, timeMs }: { siteId?: string; timeMs: number },
): Promise<void> {
  const end = now() + timeMs;
  for (let days = 1; days > 0 && now() < end; ) {
    const [row] = await sql`select reseal_targets(${siteId ?? null}::uuid, 5) as days`;
    days = row?.days ?? 0;
  }
}
