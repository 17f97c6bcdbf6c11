import type { Fragment, Sql } from '../../db.ts';

/**
 * CTE `answer`: for each shown group and bucket, the histogram bucket that contains the quantile, as `[bucket, ...]`. Histograms with
 * different bounds are added at their common bounds, histograms with different scales at the lowest scale; both are exact. For
 * cumulative series only the last rows of buckets and the resets are read, since increases telescope. Cost grows with shown buckets
 * times histogram buckets; for delta series, with their rows.
 */
export function metricRanks(sql: Sql, quantile: number): Fragment {
  return sql`
    entry as materialized (
      select position, bucket, layout, code, sum(n) as n from (
        select position, bucket, layout, code, n
        from change join shown using (labels)
        cross join lateral (
          select * from unnest(buckets, counts)
          union all
          select * from unnest(last_buckets, last_counts) where is_last or ends_in_reset
        ) as held(code, n)
        where bucket >= 0
        union all
        select position, next_bucket, layout, code, -n
        from change join shown using (labels)
        cross join lateral unnest(last_buckets, last_counts) as held(code, n)
        where next_bucket <> bucket and not ends_in_reset
        union all
        select position, bucket, layout, code, -n
        from change join shown using (labels)
        cross join lateral (
          select distribution from metric_points p
          where p.environment_key = (select key from environment) and p.series_id = change.series_id and p.time_nano = change.first_nano
            and p.start_nano = change.start_nano and day = day_of_nano(change.first_nano) and flags & 1 = 0 and count is not null
          order by hash limit 1
        ) point
        cross join lateral metric_buckets(distribution) as found
        cross join lateral unnest(found.buckets, found.counts) as held(code, n)
        where is_baseline
      ) held
      group by position, bucket, layout, code
    ), layouts as materialized (
      select distinct position, layout, bounds from change join shown using (labels) where bounds is not null
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
    ), answer as (
      select picked.position, jsonb_build_array(bucket, picked.upper, lower, upto - n, n, total) as cell
      from (
        select distinct on (position, bucket) * from explicit_rank
        where upto >= ${quantile}::numeric * total order by position, bucket, upper
      ) picked
      join step on step.position = picked.position and step.upper is not distinct from picked.upper
      union all
      select position, jsonb_build_array(bucket, scale, side, index, upto - n, n, total)
      from (
        select distinct on (position, bucket) * from coarse_rank
        where upto >= ${quantile}::numeric * total order by position, bucket, side, case side when 0 then -index else index end
      ) picked
      union all
      select position, jsonb_build_array(bucket, max(metric_value((listed ->> 'value')::double precision)))
      from change join shown using (labels)
      cross join lateral jsonb_array_elements(quantiles) as listed
      where is_last and bucket >= 0 and (listed ->> 'quantile')::double precision = ${quantile}::double precision
      group by position, bucket
    )`;
}
