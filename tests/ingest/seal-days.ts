/** Random seals: which days, at which time, and whether events arrive while a day is being sealed. */
import fc from 'fast-check';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { Sql } from '../../lib/db.ts';

const HOUR_MS = 60 * 60 * 1000;

export interface DrawnSeal {
  daysBack: number;
  /** Milliseconds before the present. */
  agoMs: number;
  /** The share of the deliveries that come before it, in eighths. */
  eighths: number;
  /** True if sealing ends only after the next delivery. */
  slow: boolean;
}

export const drawnSeals: fc.Arbitrary<DrawnSeal[]> = fc.array(
  fc.record({
    daysBack: fc.nat({ max: 3 }),
    agoMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 * HOUR_MS })),
    eighths: fc.nat({ max: 8 }),
    slow: fc.boolean(),
  }),
  { maxLength: 8 },
);

/** Begins or ends a random seal of the site. */
export async function seal(
  sql: Sql,
  siteId: string,
  now: number,
  { daysBack, agoMs }: DrawnSeal,
  step: 'begin' | 'end',
) {
  const present = new Date(now).toISOString();
  const day = sql`((${present}::timestamptz at time zone timezone)::date - ${daysBack}::integer)`;
  const verb =
    step === 'begin'
      ? sql`begin_seal(key, ${day}, ${new Date(now - agoMs).toISOString()}::timestamptz)`
      : sql`end_seal(key, ${day})`;
  const [row] = await sql`select ${verb} as done from sites where id = ${siteId}`;
  return row?.done === true;
}

/** Folds the batches, as messages of the site, and runs the seals between them. */
export async function deliverAndSeal(
  sql: Sql,
  site: { siteId: string; now: number },
  batches: readonly (readonly TrackMessage[])[],
  seals: readonly DrawnSeal[],
): Promise<void> {
  const ports = { sql, now: () => site.now };
  const begun: DrawnSeal[] = [];
  for (let n = 0; n <= batches.length; n += 1) {
    for (const slow of begun.splice(0)) await seal(sql, site.siteId, site.now, slow, 'end');
    for (const drawn of seals) {
      if (Math.round((drawn.eighths * batches.length) / 8) !== n) continue;
      await seal(sql, site.siteId, site.now, drawn, 'begin');
      if (drawn.slow) begun.push(drawn);
      else await seal(sql, site.siteId, site.now, drawn, 'end');
    }
    const batch = batches[n];
    if (batch === undefined) continue;
    await ingestMessages(
      ports,
      batch.map((message) => ({ ...message, siteId: site.siteId })),
    );
  }
}

/** Seals the journeys of sealed days again, with only `head` frequent journeys per day. */
export const sealJourneys = (sql: Sql, siteId: string, head: number) => sql`
  select seal_journeys(key, bucket, ${head}::integer)
  from sealed_days join sites on key = site_key where id = ${siteId} and span = 1`;
