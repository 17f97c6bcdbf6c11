import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { Report, ReportMeta, TimeseriesPoint } from '../answers/schemas.ts';
import { runCompared } from '../reading/compare.ts';
import { meanOf } from '../reading/figures.ts';
import { asksForVisits, onlyTier } from '../reading/filters.ts';
import { endsWithBucket, type Interval } from '../reading/report-range.ts';
import type { ReportInput, ReportParts } from '../reading/run-report.ts';
import { SMALLEST_GROUP } from '../reading/small-groups.ts';
import { bucketsOf, edgesOf, unitFor, visitsInBuckets } from '../sums/buckets.ts';
import { isSummable } from '../sums/filter-clauses.ts';
import { totalsOfFilter } from '../sums/filter-totals.ts';
import { type Stack, stackedParts } from './stacked-series.ts';

export interface TimeseriesInput extends ReportInput {
  /** `hour` only for ranges of up to 31 days. */
  interval: Interval;
  /** Adds to each point its parts by a dimension. */
  stack?: Stack | undefined;
}

/**
 * The range in buckets, without gaps and including future ones. A bucket counts only what is in the range; its visitors are distinct
 * within the bucket. Reads the rollups by their primary keys, once per bucket. The cost grows as in `reportOverview`, and with `stack` as
 * in `stackedParts`.
 */
export async function reportTimeseries(
  ctx: ReportContext,
  input: TimeseriesInput,
): Promise<Report<TimeseriesPoint[]>> {
  const { sql } = ctx;
  const { stack, ...own } = { ...input, imported: 'totals' as const };
  const pointsOf = (asked: TimeseriesInput, parts: ReportParts): Fragment =>
    !asksForVisits(asked)
      ? pointsOfRollups(sql, asked, parts)
      : // Parts of a stack are of visits, and a report reads these once.
        isSummable(asked) && asked.interval !== 'hour' && stack === undefined
        ? pointsOfSums(sql, asked, parts)
        : pointsOfVisits(sql, asked, parts);
  const { rows, meta, before } = await runCompared<PointRow, TimeseriesInput>(
    ctx,
    own,
    (asked, parts) =>
      // The other range has no parts: a point is compared as a whole.
      stack === undefined || asked !== own
        ? pointsOf(asked, parts)
        : sql`
        select point.*, coalesce(stacked.parts, '[]') as parts
        from (${pointsOf(asked, parts)}) point
        left join (${stackedParts(sql, { ...asked, stack }, parts)}) stacked using (bucket)
        order by bucket`,
    { isWhole: true },
  );
  // An hour's rate or duration of a few visits would tell how one person went on. A share's other answers have whole days.
  const fewest = ctx.actor.kind === 'share' && input.interval === 'hour' ? SMALLEST_GROUP : 1;
  const previous = new Map(before?.map((row) => [row.bucket, toPoint(row, fewest)]));
  const isPartial = partialOf(input.interval, meta);
  const measured = rows.reduce((sum, row) => sum + row.measured, 0);
  return {
    data: rows.map(({ parts, ...row }) => ({
      ...toPoint(row, fewest),
      ...(isPartial(row) && { partial: true as const }),
      ...(parts !== undefined && { parts }),
      ...(before !== undefined && { previous: previous.get(row.bucket) ?? null }),
    })),
    meta: { ...meta, coverage: { ...meta.coverage, measured } },
  };
}

/** Whether a point's bucket isn't over, or only a part of it lies in the range. */
export function partialOf(interval: Interval, { range, freshness: { evaluatedAt } }: ReportMeta) {
  const isCut = !endsWithBucket(range, interval);
  const [from, to, now] = [range.from, range.to, evaluatedAt].map((at) => Date.parse(at)) as [
    number,
    number,
    number,
  ];
  return ({ time, ends_at }: Pick<PointRow, 'time' | 'ends_at'>): boolean => {
    const end = new Date(ends_at).getTime();
    return end > now || new Date(time).getTime() < from || (end === to && isCut);
  };
}

interface PointRow extends Pick<TimeseriesPoint, 'visitors' | 'visits' | 'pageviews' | 'parts'> {
  time: Date | string;
  /** Where the bucket ends in the range. */
  ends_at: Date | string;
  /** Its position in the range, from 1. The same positions of two ranges are compared. */
  bucket: number;
  measured: number;
  bounces: number;
  duration_ms: number;
}

/** `fewest`: consented visits that a rate and a duration are of at least. */
const toPoint = (
  { time, visitors, visits, pageviews, measured, bounces, duration_ms }: PointRow,
  fewest: number,
) => ({
  time: new Date(time).toISOString(),
  visitors,
  visits,
  pageviews,
  bounceRate: measured < fewest ? null : meanOf(100 * bounces, measured),
  avgDuration: measured < fewest ? null : meanOf(duration_ms / 1000, measured),
});

function pointsOfRollups(sql: Sql, input: TimeseriesInput, { range }: ReportParts): Fragment {
  const { tier } = input;
  return sql`
    with range as materialized (${range}),
    ${bucketsOf(sql, input)}
    select start_at as time, to_at as ends_at, position as bucket, coalesce(v.visitors, 0)::float8 as visitors,
      coalesce(h.visits, 0)::float8 as visits, coalesce(h.pageviews, 0)::float8 as pageviews,
      coalesce(measured, 0)::float8 as measured, coalesce(bounces, 0)::float8 as bounces,
      coalesce(duration_ms, 0)::float8 as duration_ms
    from buckets
    cross join lateral (
      select sum(visits) as visits, sum(pageviews) as pageviews, sum(measured) as measured, sum(bounces) as bounces,
        sum(duration_ms) as duration_ms
      from rollup_hours
      where site_key = (select site_key from range) and hour >= from_at and hour < to_at ${onlyTier(sql, tier)}
    ) h
    cross join lateral (
      select sum(visitors) as visitors
      from rollup_visitors
      where site_key = (select site_key from range) and unit = ${unitFor(input)} and bucket >= from_at and bucket < to_at
        and previous < from_at ${onlyTier(sql, tier)}
    ) v
    order by start_at`;
}

/** The same for filters, from what is summed for them of sealed days, and from the visits since. */
function pointsOfSums(sql: Sql, input: TimeseriesInput, { range, unsealed }: ReportParts): Fragment {
  return sql`
    with range as materialized (${range}),
    ${bucketsOf(sql, input)},
    ${edgesOf(sql)},
    positioned as materialized (
      select s.span, s.bucket, position, (s.bucket - greatest(known_day, from_day, first_day))::smallint as passed
      from (select position, (from_at at time zone timezone)::date as first_day, (to_at at time zone timezone)::date as next_day
        from buckets cross join (select timezone from range) r) p
      cross join days
      join seals s on s.span = 1 and s.bucket >= first_day and s.bucket < next_day
    )
    select start_at as time, to_at as ends_at, b.position as bucket, coalesce(visitors, 0)::float8 as visitors, coalesce(visits, 0)::float8 as visits,
      coalesce(pageviews, 0)::float8 as pageviews, coalesce(measured, 0)::float8 as measured, coalesce(bounces, 0)::float8 as bounces,
      coalesce(duration_ms, 0)::float8 as duration_ms
    from (select start_at, to_at, position from buckets) b
    left join (${totalsOfFilter(sql, input, { unsealed }, { blocks: sql`positioned`, by: 'position' })}) t using (position)
    order by start_at`;
}

/** The same from the visits. Each visit's bucket is found by a search in the array of the buckets' starts. */
function pointsOfVisits(sql: Sql, input: TimeseriesInput, { range, visits }: ReportParts): Fragment {
  return sql`
    with range as materialized (${range}),
    ${bucketsOf(sql, input)},
    ${edgesOf(sql)},
    ${visitsInBuckets(sql, input, visits)}
    select start_at as time, to_at as ends_at, bucket, coalesce(visitors, 0)::float8 as visitors, coalesce(visits, 0)::float8 as visits,
      coalesce(pageviews, 0)::float8 as pageviews,
      case when is_measured then measured else 0 end::float8 as measured, coalesce(bounces, 0)::float8 as bounces,
      coalesce(duration_ms, 0)::float8 as duration_ms
    from (select start_at, to_at, position as bucket from buckets) b
    left join begun using (bucket)
    left join viewed using (bucket)
    where ${input.narrowing === undefined}::boolean or visits is not null
    order by start_at`;
}
