import { joinSiteAccess } from '../../access.ts';
import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { notFound } from '../../errors.ts';
import { SESSION_GAP_MINUTES } from '../../visits/session-gap.ts';
import type { Live, Report, Tier } from '../answers/schemas.ts';
import { onlyTier } from '../reading/filters.ts';
import { type ContextRow, toMeta, type Within } from '../reading/report-meta.ts';
import { readReport } from '../reading/run-report.ts';
import { firstEventAt, othersOf } from '../reading/site-context.ts';
import {
  isWithheld,
  type Narrowing,
  requireNarrowing,
  SMALLEST_GROUP,
  Withheld,
} from '../reading/small-groups.ts';

/** docs/counting.md#live */
export const WINDOW_MINUTES = 5;
const MAX_PAGES = 10;

export interface LiveInput {
  /** A UUID. */
  siteId: string;
  /** Restricts the report to one collection method. */
  tier?: Tier | undefined;
  /** The segment of the request. */
  within?: Within | undefined;
  narrowing?: Narrowing | undefined;
}

interface LiveRow extends ContextRow {
  /** Visitors and page views of the other tiers, if the report is restricted to one. */
  others: number;
  visitors: number;
  anonymous_pageviews: number;
  pages: Live['pages'] | null;
}

/** The condition on `events`, after `where`, that an event shows a visitor's presence. */
export const isActivity = (sql: Sql): Fragment =>
  sql`tier >= 2 and kind > 0 and (kind <> 2 or entry is null)`;

/**
 * Who is on the site: activity of the last 5 minutes. A page counts as open until its visitor views another one, or until the gap between
 * visits has passed. Reads this time of `events` by the index `events_time`, in one or two partitions. The cost grows with the events of
 * this time.
 *
 * @throws `NOT_FOUND` for a site that the caller may not see, `UNAVAILABLE`, `Withheld`
 */
export async function reportLive(
  ctx: ReportContext,
  { siteId, tier, within, narrowing }: LiveInput,
): Promise<Report<Live>> {
  const { sql, actor } = ctx;
  requireNarrowing(actor, { tier, narrowing });
  const ofTier = onlyTier(sql, tier);
  const smallest = narrowing === undefined ? 1 : SMALLEST_GROUP;
  const evaluatedAt = new Date(ctx.now()).toISOString();
  const now = sql`${evaluatedAt}::timestamptz`;
  const { rows } = await readReport(ctx, {
    statement: () => sql`
    with site as materialized (
      select site.key as site_key, site.timezone, ${now} - ${WINDOW_MINUTES} * interval '1 minute' as from_at, ${now} as to_at
      from sites site
      ${joinSiteAccess(sql, actor)}
      where site.id = ${siteId}::uuid
    ),
    recent as materialized (
      select occurred_at, kind, entry, tier, visitor_id, value as path, data ->> 'reason' as reason, from_at
      from site
      join events using (site_key)
      left join site_texts on site_texts.site_key = site.site_key and id = path_id and id > 0 and kind = 1
      where occurred_at > ${now} - ${SESSION_GAP_MINUTES} * interval '1 minute' and occurred_at <= ${now} and kind >= 0
    ),
    observed as (
      select count(*) filter (where tier = 1 and kind = 1 ${ofTier})::integer as anonymous_pageviews,
        count(*) filter (where tier = 1 and kind = 1 and not (true ${ofTier}))::integer as other_pageviews,
        array_agg(distinct tier order by tier) as tiers,
        count(distinct floor(extract(epoch from ${now} - occurred_at) / 60))::integer as observed_units
      from recent where occurred_at > from_at and kind > 0
    ),
    refused as (
      select jsonb_object_agg(reason, events) as dropped
      from (
        select reason, count(*) as events from recent where occurred_at > from_at and kind = 0 group by reason
      ) r
    ),
    beyond as (${othersOf(sql, sql`site`)}),
    active as materialized (
      select (array_agg(path order by occurred_at desc, path collate "C") filter (where kind = 1))[1] as path,
        bool_or(true ${ofTier}) as is_asked
      from recent where ${isActivity(sql)}
      group by visitor_id having max(occurred_at) > min(from_at)
    ),
    pages as (
      select jsonb_agg(jsonb_build_object('path', path, 'visitors', visitors)) as pages
      from (
        select path, count(*) as visitors from active where is_asked and path is not null group by path
        having count(*) >= ${smallest}::integer
        order by visitors desc, path collate "C" limit ${MAX_PAGES}::integer
      ) p
    )
    select timezone, from_at, to_at, anonymous_pageviews, tiers, observed_units, null as imported, ${WINDOW_MINUTES}::integer as elapsed_units, dropped, other, pages,
      (select count(*) from active where is_asked)::integer as visitors,
      other_pageviews + (select count(*) from active where not is_asked)::integer as others, ${firstEventAt(sql, sql`site.site_key`)} as first_event_at, last_event_at, folded_at
    from site
    cross join observed
    cross join refused
    cross join beyond
    cross join pages
    left join site_freshness using (site_key)`,
  });
  const [row] = rows as LiveRow[];
  if (row === undefined) throw notFound('site');
  const { visitors, anonymous_pageviews: anonymousPageviews, others, pages } = row;
  const meta = toMeta({ siteId, tier, within, evaluatedAt }, row);
  const split = { missed: others, parts: [others] };
  if (narrowing !== undefined && isWithheld({ kept: visitors + anonymousPageviews, splits: [split] }))
    throw new Withheld(meta);
  return { data: { visitors, anonymousPageviews, count: visitors, pages: pages ?? [] }, meta };
}
