import { joinSiteAccess } from '../../access.ts';
import type { Site, SiteSummary } from '../../sites/schemas.ts';
import { aliasesOf, MAX_LISTED, type SiteRow, type SitesContext, toSite } from '../../sites/site.ts';
import type { Period } from '../../visits/periods.ts';
import { whyUnknown } from '../reading/changes.ts';
import { percentChange } from '../reading/figures.ts';
import { boundsOf, comparedRange, unitOf } from '../reading/report-range.ts';
import { readReport } from '../reading/run-report.ts';
import { firstEventAt } from '../reading/site-context.ts';
import { selectBuckets } from '../sums/buckets.ts';
import { endOfUnits, visitorsOfCutUnit } from '../sums/cut-ranges.ts';
import { isActivity, WINDOW_MINUTES } from './live.ts';
import { visitorsWithin } from './overview.ts';

/** How many sites have a summary, the oldest ones. It bounds the cost for people with thousands of sites. */
export const MAX_SUMMARIES = 200;

interface SummaryRow {
  visitors: number;
  previous_visitors: number;
  observed: boolean;
  /** ISO 8601, since they are in JSON. */
  since: string | null;
  compared_from: string;
  compared_observed: boolean;
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
 * their primary keys, the visits of the part of a day or hour where the other range ends (`visitorsOfCutUnit`), and the last minutes of
 * `events` by the index `events_time`.
 */
export async function listSitesWithSummaries(
  ctx: SitesContext,
  { period }: { period: Period },
): Promise<Site[]> {
  const { sql, actor } = ctx;
  const range = { period };
  const other = comparedRange(range, 'previous');
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
        select site.id, site.key as site_key, site.timezone, bounds.*, other.from_at as other_from, other.to_at as other_to
        from listed site
        cross join lateral (${boundsOf(sql, range, now)}) bounds
        cross join lateral (${boundsOf(sql, other, now)}) other
        where position <= ${MAX_SUMMARIES}
      ),
      -- Once for all sites: the planner takes them for one.
      summaries as materialized (
        select id, jsonb_build_object(
            'visitors', coalesce(visitors, 0), 'previous_visitors', coalesce(previous_visitors, 0), 'visits', visits,
            'pageviews', pageviews, 'live', live, 'spark', spark, 'observed', visits + pageviews > 0,
            'since', ${firstEventAt(sql, sql`ranges.site_key`)}, 'compared_from', other_from,
            'compared_observed', exists (
              select from rollup_hours r
              where r.site_key = ranges.site_key and hour >= other_from and hour < other_to and (pageviews > 0 or visits > 0))
          ) as summary
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
          select sum(visitors) as visitors from rollup_visitors r
          where r.site_key = ranges.site_key and ${visitorsWithin(sql, range, sql`to_at`)}
        ) visitors
        cross join lateral (
          with range as materialized (
            select *, ${endOfUnits(sql, other)} as units_end
            from (select ranges.site_key, ranges.timezone, other_from as from_at, other_to as to_at) r
          )
          select sum(visitors) as previous_visitors
          from (
            select visitors from range join rollup_visitors using (site_key)
            where ${visitorsWithin(sql, other, sql`units_end`)}
            union all
            (${visitorsOfCutUnit(sql, { range: other }, ctx.now())})
          ) before
        ) before
        cross join lateral (
          select count(distinct visitor_id) as live
          from events e
          where e.site_key = ranges.site_key and occurred_at > ${present} - ${WINDOW_MINUTES} * interval '1 minute'
            and occurred_at <= ${present} and kind >= 0 and ${isActivity(sql)}
        ) present
        left join site_freshness using (site_key)
      )
      select listed.*, ${aliasesOf(sql, sql`listed.id`)}, summary
      from listed
      left join summaries using (id)
      order by position`,
  });
  return (rows as (SiteRow & { summary: SummaryRow | null })[]).map((row) => ({
    ...toSite(ctx, row),
    summary: row.summary && toSummary(row.summary),
  }));
}

function toSummary({ previous_visitors, observed, since, ...row }: SummaryRow): SiteSummary {
  const { visitors, visits, pageviews, live, spark } = row;
  const compared = { from: row.compared_from, observed: row.compared_observed, rows: [] };
  const unknown = whyUnknown({ observed, since, compared });
  return {
    ...{ visitors, visits, pageviews, live, spark },
    visitorsChange: unknown === undefined ? percentChange(previous_visitors, visitors) : null,
    ...(unknown !== undefined && { changesUnknown: unknown }),
  };
}
