import type { ReportContext } from '../../context.ts';
import type { DroppedItem, DroppedReason, Report } from '../answers/schemas.ts';
import { type ReportInput, runReport } from '../reading/run-report.ts';

/** An example of a request that is counted for the reason. We wrote it: nothing is stored of real ones. */
export const EXAMPLES: Record<DroppedReason, string> = {
  bot: 'A crawler or a script that says so in its user agent, such as a search engine’s.',
  datacenter: 'A browser that runs on a rented server in a data centre, where people don’t sit.',
  spam: 'A page view whose referrer is an advertisement that wants to be seen in reports.',
  invalid:
    'A custom event without a name, or with an address that is none. The page’s console says which rule it breaks.',
  hostname: 'A page on another host than the site’s, such as a copy of the site or a translation proxy.',
  tier: 'Scroll depth or engaged time sent by a visitor who gave no consent.',
  properties:
    'A custom event with over 4 KB of properties, or one more of a visit whose events have brought 32 KB of them: it is counted without.',
};

interface Row {
  reason: DroppedReason;
  time: Date;
  events: number;
}

/**
 * The refused events of the range's days, and the events that lost their properties, most frequent reason first. Reads the range's rows
 * of `dropped_days` by their primary key, at most one per day and reason.
 */
export async function reportDropped(
  ctx: ReportContext,
  input: Pick<ReportInput, 'siteId' | 'range'>,
): Promise<Report<DroppedItem[]>> {
  const { rows, meta } = await runReport<Row>(
    ctx,
    input,
    ({ range }) => ctx.sql`
      with range as materialized (${range})
      select reason, day as time, events::float8
      from range
      join dropped_days using (site_key)
      where day >= local_day(from_at, timezone) and day < to_at and events > 0
      order by day, reason`,
  );
  const data = [...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, days]) => ({
    reason,
    events: days.reduce((sum, { events }) => sum + events, 0),
    example: EXAMPLES[reason],
    days: days.map(({ time, events }) => ({ time: time.toISOString(), events })),
  }));
  return { data: data.sort((a, b) => b.events - a.events || (a.reason < b.reason ? -1 : 1)), meta };
}
