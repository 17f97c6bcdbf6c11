import { joinSiteAccess } from '../../access.ts';
import type { Site, SiteSummary } from '../../sites/schemas.ts';
import { aliasesOf, MAX_LISTED, type SiteRow, type SitesContext, toSite } from '../../sites/site.ts';
import type { Period } from '../../visits/periods.ts';
import { percentChange } from '../reading/figures.ts';
import { boundsOf, unitOf } from '../reading/report-range.ts';
import { readReport } from '../reading/run-report.ts';
import { selectBuckets } from '../sums/buckets.ts';
import { isActivity, WINDOW_MINUTES } from './live.ts';
import { inBothRanges, visitorsOfBoth } from './overview.ts';

/** How many sites have a summary, the oldest ones. It bounds the cost for people with thousands of sites. */
export const MAX_SUMMARIES = 200;

interface SummaryRow {
  visitors: number;
  previous_visitors: number;
  visits: number;
  pageviews: number;
  live: number;
  spark: number[];
}

/**
 * All sites that the caller may see, oldest first, the first `MAX_SUMMARIES` with a summary: what `overview`, `timeseries` and `live` say of
 * them without filters.
 *
 * One statement. For each site it reads the range's rows of `rollup_hours`, three per hour, and both ranges' rows of `rollup_visitors` by
 * their primary keys, and the last minutes of `events` by the index `events_time`. So the cost grows with the sites and the days, not with
 * the traffic, apart from what is live.
 */
export async function listSitesWithSummaries(
  ctx: SitesContext,
  { period }: { period: Period },
): Promise<Site[]> {
  const { sql, actor } = ctx;
  const range = { period };
  const unit = unitOf(range);
  const now = new Date(ctx.now()).toISOString();
  const present = sql`${now}::timestamptz`;
  const { rows } = await readReport(ctx, {
    statement: () => sql`
      with listed as materialized (
        select site.*, row_number() over (order by site.created_at, site.id) as position
        from sites site ${joinSiteAccess(sql, actor)}
        order by site.created_at, site.id
        limit ${MAX_LISTED}
      ),
      ranges as materialized (
        select site.id, site.key as site_key, site.timezone, bounds.*
        from listed site
        cross join lateral (${boundsOf(sql, range, now)}) bounds
        where position <= ${MAX_SUMMARIES}
      )
      select listed.*, ${aliasesOf(sql, sql`listed.id`)}, summary
      from listed
      left join (
        select id, jsonb_build_object(
            'visitors', coalesce(visitors, 0), 'previous_visitors', coalesce(previous_visitors, 0), 'visits', visits,
            'pageviews', pageviews, 'live', live, 'spark', spark) as summary
        from ranges
        cross join lateral (
          select sum(h.visits) as visits, sum(h.pageviews) as pageviews, jsonb_agg(h.visits order by start_at) as spark
          from (${selectBuckets(sql, unit, unit, sql`(select ranges.from_at, ranges.to_at, ranges.timezone) range`)}) bucket
          cross join lateral (
            select coalesce(sum(visits), 0) as visits, coalesce(sum(pageviews), 0) as pageviews
            from rollup_hours r
            where r.site_key = ranges.site_key and hour >= bucket.from_at and hour < bucket.to_at
          ) h
        ) totals
        cross join lateral (
          select ${visitorsOfBoth(sql)} from rollup_visitors r where r.site_key = ranges.site_key and ${inBothRanges(sql, range)}
        ) visitors
        cross join lateral (
          select count(distinct visitor_id) as live
          from events e
          where e.site_key = ranges.site_key and occurred_at > ${present} - ${WINDOW_MINUTES} * interval '1 minute'
            and occurred_at <= ${present} and kind >= 0 and ${isActivity(sql)}
        ) present
      ) s using (id)
      order by position`,
  });
  return (rows as (SiteRow & { summary: SummaryRow | null })[]).map((row) => ({
    ...toSite(ctx, row),
    summary: row.summary && toSummary(row.summary),
  }));
}

function toSummary({ previous_visitors, ...row }: SummaryRow): SiteSummary {
  const { visitors, visits, pageviews, live, spark } = row;
  const visitorsChange = percentChange(previous_visitors, visitors);
  return { visitors, visits, pageviews, visitorsChange, live, spark };
}
