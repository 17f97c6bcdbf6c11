import type { Fragment, Sql } from '../../db.ts';

/**
 * CTE `answer`: for each shown group and bucket, the histogram bucket that contains the quantile, as `[bucket, ...]`. Histograms with
 * different bounds are added at their common bounds, histograms with different scales at the lowest scale; both are exact. Of
 * cumulative series only the last points of buckets and those before resets are read, by the primary key of metric_points, since increases
 * telescope. Cost grows with shown buckets times histogram buckets; for delta series, with their rows. `lowest` and `highest`: of
 * what was measured, where all points say it.
 */
export function metricRanks(sql: Sql, quantile: number): Fragment {
  // The histogram of a stream at an instant. Of several points at that instant, the one that counts first or last.
  const pointAt = (nano: Fragment, order: Fragment): Fragment => sql`
    select distribution from metric_points p
    where p.environment_key = (select key from environment) and p.series_id = change.series_id and p.time_nano = ${nano}
      and (change.kind <> 'cumulative' or p.start_nano = change.start_nano) and day = day_of_nano(${nano})
      and flags & 1 = 0 and count is not null and metric_layout(distribution) = change.layout
    order by ${order} limit 1`;
  return sql`
    reached as materialized (
      select position, bucket, next_bucket, ends_in_reset, layout, code, sum(held_count) as n
      from change join shown using (labels)
      cross join lateral (${pointAt(sql`change.last_nano`, sql`hash desc`)}) point
      cross join lateral metric_bucket_counts(distribution) as held(code, held_count)
      where kind = 'cumulative' and (is_last or ends_in_reset)
      group by position, bucket, next_bucket, ends_in_reset, layout, code
    ), entry as materialized (
      select position, bucket, layout, code, sum(n) as n from (
        select position, bucket, layout, code, n
        from change join shown using (labels)
        cross join lateral unnest(buckets, counts) as held(code, n)
        where buckets is not null and bucket >= 0
        union all
        select position, bucket, layout, code, n from reached where bucket >= 0
        union all
        select position, next_bucket, layout, code, -n from reached where next_bucket <> bucket and not ends_in_reset
        union all
        select position, bucket, layout, code, -n
        from change join shown using (labels)
        cross join lateral (${pointAt(sql`change.first_nano`, sql`hash`)}) point
        cross join lateral metric_bucket_counts(distribution) as held(code, n)
        where is_baseline
      ) held
      group by position, bucket, layout, code
    ), layouts as materialized (
      select position, layout, metric_bounds(distribution) as bounds
      from (
        select distinct on (position, layout) position, layout, series_id, start_nano, last_nano, kind
        from change join shown using (labels) where layout <> 0 and is_last
        order by position, layout
      ) change
      cross join lateral (${pointAt(sql`change.last_nano`, sql`hash desc`)}) point
    ), shared as (
      select position, bound from layouts cross join lateral unnest(bounds) as bound
      group by position, bound
      having count(*) = (select count(*) from layouts other where other.position = layouts.position)
    ), step as materialized (
      select position, bound as upper, lag(bound) over (partition by position order by bound) as lower from shared
      union all
      select position, null, max(bound) from shared group by position
    ), bounded as materialized (
      select layouts.position, layout, n - 1 as code, upper.bound as upper
      from layouts
      cross join lateral generate_series(1, array_length(bounds, 1) + 1) as n
      cross join lateral (
        select min(bound) as bound from shared where shared.position = layouts.position and bound >= bounds[n]
      ) upper
    ), explicit as (
      select entry.position, bucket, upper, sum(n) as n from entry join bounded using (position, layout, code)
      group by 1, 2, 3
    ), explicit_rank as (
      select *, sum(n) over (partition by position, bucket order by upper) as upto, sum(n) over (partition by position, bucket) as total
      from explicit where n > 0
    ), coarse as (
      select position, bucket, scale, exponential_side(code) as side, exponential_index(code) >> (exponential_scale(code) - scale) as index,
        sum(n) as n
      from (
        select *, min(exponential_scale(code)) over (partition by position, bucket) as scale from entry where layout = 0 and code > 1000000
      ) fine
      group by 1, 2, 3, 4, 5
    ), coarse_rank as (
      select *, sum(n) over (partition by position, bucket order by side, case side when 0 then -index else index end) as upto,
        sum(n) over (partition by position, bucket) as total
      from coarse where n > 0
    ), extreme as (
      select position, bucket, min(min) as lowest, max(max) as highest
      from change join shown using (labels)
      where bucket >= 0
      group by position, bucket
      having bool_and((min is not null and max is not null) or increase_count = 0)
    ), answer as (
      select picked.position, jsonb_build_array(picked.bucket, picked.upper, lower, upto - n, n, total, lowest, highest) as cell
      from (
        select distinct on (position, bucket) * from explicit_rank
        where upto >= ${quantile}::numeric * total order by position, bucket, upper
      ) picked
      join step on step.position = picked.position and step.upper is not distinct from picked.upper
      left join extreme on extreme.position = picked.position and extreme.bucket = picked.bucket
      union all
      select picked.position, jsonb_build_array(picked.bucket, scale, side, index, upto - n, n, total, lowest, highest)
      from (
        select distinct on (position, bucket) * from coarse_rank
        where upto >= ${quantile}::numeric * total order by position, bucket, side, case side when 0 then -index else index end
      ) picked
      left join extreme on extreme.position = picked.position and extreme.bucket = picked.bucket
      union all
      select position, jsonb_build_array(bucket, max(metric_value((listed ->> 'value')::double precision)))
      from change join shown using (labels)
      cross join lateral jsonb_array_elements(quantiles) as listed
      where quantiles is not null and is_last and bucket >= 0 and (listed ->> 'quantile')::double precision = ${quantile}::double precision
      group by position, bucket
    )`;
}
