import type { Fragment, Sql } from '../../db.ts';
import type { Tier } from '../answers/schemas.ts';
import type { ListInput } from '../reading/run-report.ts';
import { blocksAndRaw } from './blocks.ts';

/**
 * The tables of `blocksAndRaw` and `top` (`path, visitors, visits, journeys`) for a statement with `range` (the fragment begins with a
 * comma). `top` has the exact figures of the most frequent journeys: those that the page of the list needs, and those that are as
 * frequent as its last one.
 *
 * Sums the frequent journeys of each day, of which there are at most 500. Reads a day's other journeys only if they could change the
 * answer: for days on which a journey of the page is among the others, and for all days if the page reaches journeys that may be rare on
 * every day. Then the cost grows with the visits, and is up to a tenth of scanning them.
 */
export function topJourneys(sql: Sql, input: ListInput, now: number): Fragment {
  const { limit, offset = 0, tier } = input;
  const { journeys, visits, visitors, most } = COLUMNS(sql)[tier ?? 'both'];
  const unpacked = sql`
    unnest(r.path, r.journeys_2, r.journeys_3, r.visits_2, r.visits_3, r.visitors_2, r.visitors_3)
      as v(path, journeys_2, journeys_3, visits_2, visits_3, visitors_2, visitors_3)`;
  return sql`
    ${blocksAndRaw(sql, input, now, 'days')},
    raw_walks as materialized (
      select tier, visitor_id, is_new, counted, started_at, coalesce(consent_page, entry_page) as first_page,
        journey_of(consent_page, entry_page, later_pages) as path
      from raw where started_at >= x and started_at < y and tier > 1 and coalesce(consent_page, entry_page) is not null
    ),
    packs as materialized (
      select r.*, passed, ${most} as hidden
      from blocks b join rollup_journeys r on r.site_key = (select site_key from range) and r.bucket = b.bucket and r.part = 0
    ),
    heads as materialized (
      select bucket, hidden, v.path, ${journeys} as journeys, ${visits} as visits, ${visitors} as visitors
      from packs r cross join lateral ${unpacked}
    ),
    -- What a journey can have that is frequent on no day.
    hidden as materialized (select coalesce(sum(hidden), 0) as most from packs),
    known as materialized (
      select path, sum(journeys) as journeys, sum(visits) as visits, sum(visitors) as visitors,
        (select most from hidden) - sum(hidden) as hidden
      from (
        select path, journeys, visits, visitors, hidden from heads
        union all
        select path, count(*)::integer, (count(*) filter (where counted))::integer, 0, 0 from raw_walks group by path
      ) part
      group by path
    ),
    -- The count from which a journey surely belongs to the page; null: not enough are known.
    needed as materialized (
      select (select journeys from known order by journeys desc limit 1 offset ${offset + limit}::integer) as journeys
    ),
    depth as materialized (
      select coalesce(hidden.most >= needed.journeys, true) as is_deep from hidden cross join needed
    ),
    wanted as materialized (
      select known.* from known cross join depth cross join needed where is_deep or known.journeys + hidden >= needed.journeys
    ),
    -- Of days whose frequent ones have all that is wanted there is nothing more to know.
    found as (
      select bucket, count(*) as paths from heads where path in (select path from wanted where hidden > 0) group by bucket
    ),
    tails as materialized (
      select r.*, packs.passed
      from packs
      cross join depth
      left join found using (bucket)
      join rollup_journeys r on r.site_key = packs.site_key and r.bucket = packs.bucket and r.part = 1
      where is_deep or coalesce(paths, 0) < (select count(*) from wanted where hidden > 0)
    ),
    rest as (
      select v.path, ${journeys} as journeys, ${visits} as visits, ${visitors} as visitors
      from tails r cross join lateral ${unpacked}
    ),
    totals as (
      select path, sum(journeys) as journeys, sum(visits) as visits, sum(visitors) as visitors
      from (
        select path, journeys, visits, visitors from wanted
        union all
        select path, journeys, visits, visitors from rest where (select is_deep from depth) or path in (select path from wanted)
      ) part
      group by path
      having sum(journeys) > 0
    ),
    candidates as materialized (
      select * from totals order by journeys desc fetch first (${offset + limit + 1}::integer) rows with ties
    ),
    returned as (
      select g.path, sum(g.returned) as visitors
      from (
        select passed, gap_path, gap_tier, gap, returned from packs
        union all
        select passed, gap_path, gap_tier, gap, returned from tails
      ) r
      cross join lateral unnest(gap_path, gap_tier, gap, returned) as g(path, tier, gap, returned)
      where g.gap <= passed ${tier === undefined ? sql`` : sql`and g.tier = ${tier}::smallint`}
      group by g.path
    ),
    newcomers as (
      select path, count(*) as visitors
      from (
        select path, tier, visitor_id, first_page, min(started_at) as at, bool_or(is_new) as is_new
        from raw_walks where path in (select path from candidates) group by 1, 2, 3, 4
      ) first
      where is_new or not exists (
        select from visits p
        where p.site_key = (select site_key from range)
          and p.visitor_id = first.visitor_id and p.tier = first.tier
          and p.started_at >= (select from_at from range) and p.started_at < first.at
          and coalesce(p.consent_page, p.entry_page) = first.first_page
          and journey_of(p.consent_page, p.entry_page, p.later_pages) = path)
      group by path
    ),
    top as (
      select path, journeys, visits,
        c.visitors - coalesce(returned.visitors, 0) + coalesce(newcomers.visitors, 0) as visitors
      from candidates c left join returned using (path) left join newcomers using (path)
      order by journeys desc, visitors desc
      fetch first (${offset + limit + 1}::integer) rows with ties
    )`;
}

interface Columns {
  journeys: Fragment;
  visits: Fragment;
  visitors: Fragment;
  /** The highest frequency among the day's other journeys. */
  most: Fragment;
}

const COLUMNS = (sql: Sql): Record<Tier | 'both', Columns> => ({
  1: { journeys: sql`0`, visits: sql`0`, visitors: sql`0`, most: sql`0` },
  2: {
    journeys: sql`v.journeys_2`,
    visits: sql`v.visits_2`,
    visitors: sql`v.visitors_2`,
    most: sql`r.most[1]`,
  },
  3: {
    journeys: sql`v.journeys_3`,
    visits: sql`v.visits_3`,
    visitors: sql`v.visitors_3`,
    most: sql`r.most[2]`,
  },
  both: {
    journeys: sql`v.journeys_2 + v.journeys_3`,
    visits: sql`v.visits_2 + v.visits_3`,
    visitors: sql`v.visitors_2 + v.visitors_3`,
    most: sql`r.most[3]`,
  },
});
