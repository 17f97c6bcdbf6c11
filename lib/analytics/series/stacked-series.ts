import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf, edgeOf } from '../../visits/dimension-sql.ts';
import type { StackedDimension } from '../../visits/dimensions.ts';
import { OTHER } from '../../visits/other-value.ts';
import { joinNames, numberNames } from '../lists/visit-values.ts';
import { asksForVisits, isSealable, onlyTier } from '../reading/filters.ts';
import type { ReportInput, ReportParts } from '../reading/run-report.ts';
import { repeatsBy, sumsOfVisits } from '../reading/shared-visits.ts';
import { onlyLarge, sizeOfVisitors } from '../reading/small-groups.ts';
import { countPages } from '../reading/visit-pages.ts';
import { blocksAndRaw } from '../sums/blocks.ts';
import { type Bucketed, bucketsOf, edgesOf, positionOf, unitFor, visitsInBuckets } from '../sums/buckets.ts';
import { countsOfRaw, sealedValues } from '../sums/counts.ts';

export interface Stack {
  by: StackedDimension;
  /** How many values have a part of their own, 1 to 10. Tiers always have one. */
  limit: number;
}

type StackedInput = ReportInput & Bucketed & { stack: Stack };
type ListedDimension = Exclude<StackedDimension, 'tier'>;

const TIERS = 3;

/**
 * Selects `bucket, parts` for the buckets of the range (by their positions, from 1). `parts` is an array of `{value, visitors, visits,
 * pageviews}`: what the list of the dimension has for the bucket, for each of the values with the most visits in the range, and `OTHER` for
 * the sums of all others. Of tiers it is what `timeseries` has for the tier.
 *
 * Sums sealed days one by one (`countsOfRaw`), so the cost grows with the days and their values. By hour, with filters, and for 24 hours it
 * reads the visits that it shares with other reports (`SharedVisits`). Of tiers it reads the rollups as `timeseries` does.
 */
export function stackedParts(sql: Sql, input: StackedInput, parts: ReportParts): Fragment {
  const { by, limit } = input.stack;
  const [counted, most, order] =
    by === 'tier'
      ? [countTiers(sql, input, parts), TIERS, sql``]
      : [countValues(sql, by, input, parts), limit, sql`sum(visits) desc,`];
  return sql`
    with range as materialized (${parts.range}) ${by === 'tier' ? sql`` : namesOf(sql, by)},
    ${bucketsOf(sql, input)},
    ${edgesOf(sql)}
    ${counted},
    firsts_of_range as (
      select value, row_number() over (order by ${order} value collate "C") as position
      from counted where value <> ${OTHER} group by value order by position limit ${most}::integer
    ),
    merged as (
      select bucket, coalesce(first.value, ${OTHER}::text) as value, coalesce(position, ${most + 1}::integer) as position,
        sum(visitors) as visitors, sum(visits) as visits, sum(pageviews) as pageviews
      from counted left join firsts_of_range first using (value)
      group by 1, 2, 3
    )
    select bucket, json_agg(
      json_build_object('value', value, 'visitors', coalesce(visitors, 0)::float8, 'visits', coalesce(visits, 0)::float8,
        'pageviews', coalesce(pageviews, 0)::float8) order by position) as parts
    from generate_series(1, (select count(*) from buckets)::integer) as bucket
    cross join (select distinct value, position from merged) part
    left join merged using (bucket, value, position)
    where ${input.narrowing === undefined}::boolean or visits is not null
    group by bucket`;
}

/** Table `counted` (`bucket, value, visitors, visits, pageviews`), as all functions here; the fragment begins with a comma. */
function countTiers(sql: Sql, input: StackedInput, { visits }: ReportParts): Fragment {
  const { tier, narrowing } = input;
  if (asksForVisits(input))
    return sql`,
    ${visitsInBuckets(sql, input, visits, { byTier: true })},
    counted as materialized (
      select bucket, tier::text as value, visitors, visits, pageviews
      from begun full join viewed using (bucket, tier)
      where bucket >= 1 and bucket < cardinality((select starts from edges))
        and (visits > 0 or visitors > 0 or (${narrowing === undefined}::boolean and pageviews > 0))
    )`;
  return sql`,
    counted as materialized (
      select position as bucket, tier::text as value, sum(visitors) as visitors, sum(visits) as visits, sum(pageviews) as pageviews
      from buckets
      cross join lateral (
        select tier, 0 as visitors, visits, pageviews
        from rollup_hours
        where site_key = (select site_key from range) and hour >= from_at and hour < to_at ${onlyTier(sql, tier)}
        union all
        select tier, visitors, 0, 0
        from rollup_visitors
        where site_key = (select site_key from range) and unit = ${unitFor(input)} and bucket >= from_at and bucket < to_at
          and previous < from_at ${onlyTier(sql, tier)}
      ) r
      group by 1, 2
      having sum(visitors) > 0 or sum(visits) > 0 or sum(pageviews) > 0
    )`;
}

interface ValuesSql {
  /** The number of a visit's value: of a text of the site, or below 0 of `names`. 0 or null: none. */
  value: Fragment;
  /** The condition that a visit is in the list; begins with `and`. */
  only: Fragment;
}

const EDGES = { entry_page: 'entry', exit_page: 'exit' } as const;
const isEdge = (by: ListedDimension): by is keyof typeof EDGES => by in EDGES;

/** The names that a dimension numbers itself. Pages are texts of the site. */
function namesOf(sql: Sql, by: ListedDimension): Fragment {
  return isEdge(by)
    ? sql`, names as (select null::text as name, 0 as value where false)`
    : numberNames(sql, by);
}

function valuesOf(sql: Sql, by: ListedDimension): ValuesSql {
  if (isEdge(by)) {
    const { page, only } = edgeOf(sql, EDGES[by]);
    return { value: page, only: sql`and entry_page is not null ${only}` };
  }
  const { id, only } = dimensionOf(sql, by);
  return { value: sql`(select by_id from numbers)[${id}]`, only };
}

function countValues(sql: Sql, by: ListedDimension, input: StackedInput, parts: ReportParts): Fragment {
  const isSealed = isSealable(input) && input.interval !== 'hour';
  return sql`
    ${isSealed ? countSealed(sql, by, input, parts) : countVisits(sql, by, input, parts)},
    named as materialized (
      select counts.value, shown.name
      from (select distinct value from counts) counts
      ${joinNames(sql)}
    ),
    counted as materialized (
      select position as bucket, name as value, visitors, visits, hits as pageviews from counts join named using (value)
    )`;
}

/** A week or month has several sealed days: who came on two of them counts once. */
function countSealed(sql: Sql, by: ListedDimension, input: StackedInput, { now }: ReportParts): Fragment {
  const { value, only } = valuesOf(sql, by);
  const isListed = isEdge(by) ? sql`true ${only}` : sql`seen ${only}`;
  const position = positionOf(sql, sql`started_at`);
  return sql`${blocksAndRaw(sql, input, now, 'days')},
    positioned as materialized (
      select b.span, b.bucket, position, least(b.passed, b.bucket - first_day) as passed
      from (
        select position, (buckets.from_at at time zone timezone)::date as first_day, (buckets.to_at at time zone timezone)::date as next_day
        from buckets cross join range
      ) p
      join blocks b on b.bucket >= first_day and b.bucket < next_day
    )
    ${countsOfRaw(sql, input, {
      rows: sealedValues(sql, by),
      blocks: sql`positioned`,
      by: sql`position,`,
      hits: sql`
        select ${position} as position, ${value} as value, tier, visitor_id, is_new, started_at as at, counted::integer as visits,
          ${countPages(sql)} as hits
        from raw
        where started_at >= x and started_at < y and ${isListed}`,
      had: sql`
        select ${position} as position, ${value} as value, tier, visitor_id, started_at as at
        from earlier where started_at >= (select from_at from range) ${only}`,
    })}`;
}

function countVisits(
  sql: Sql,
  by: ListedDimension,
  { narrowing }: StackedInput,
  { visits }: ReportParts,
): Fragment {
  const { value, only } = valuesOf(sql, by);
  const isListed = isEdge(by) ? only : sql`and seen ${only}`;
  const position = positionOf(sql, sql`started_at`);
  const again = sql`(
    select ${position} as position, ${value} as value, visitor_id from ${visits.repeated('begun')} where inside ${isListed}) v`;
  return sql`,
    sums as (
      select ${position} as position, ${value} as value, ${sumsOfVisits(sql)}
      from ${visits.kept('begun')}
      where inside ${isListed}
      group by 1, 2
    ),
    counts as (
      select position, value, sum(visitors) as visitors, sum(visits) as visits, sum(views) as hits
      from (
        select position, value, identified as visitors, visits, views, unknown from sums
        union all
        select position, value, -repeats, 0, 0, 0 from (${repeatsBy(sql, sql`position, value`, again)}) r
      ) v
      where value <> 0
      group by position, value ${onlyLarge(sql, narrowing, sizeOfVisitors(sql))}
    )`;
}
