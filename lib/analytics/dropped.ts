import type { DropReason } from '../collection/track-message.ts';
import type { ReportContext } from '../context.ts';
import { type ReportInput, runReport } from './report.ts';
import type { DroppedItem, Report } from './schemas.ts';

/** What a request refused for the reason looks like. Written by us: nothing is kept of real ones. */
export const EXAMPLES: Record<DropReason, string> = {
  bot: 'A crawler or a script that says so in its user agent, such as a search engine’s.',
  datacenter: 'A browser that runs on a rented server in a data centre, where people don’t sit.',
  spam: 'A page view whose referrer is an advertisement that wants to be seen in reports.',
  hostname: 'A page on another host than the site’s, such as a copy of the site or a translation proxy.',
  tier: 'Scroll depth or engaged time sent by a visitor who gave no consent.',
};

interface Row {
  reason: DropReason;
  time: Date;
  events: number;
}

/**
 * What was refused on the days of the range, most first. Reads the range's rows of `dropped_days` by their primary key, at
 * most one a day and reason.
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
