import type { Sql } from '../../db.ts';
import type { Fragment } from '../query-telemetry.ts';
import type { Aggregation, Percentile } from './aggregations.ts';

/** CTE `answer`: `[bucket, value]` for each shown group and each bucket with an observation; for `rate`, the increase within the bucket. */
export const metricCells = (sql: Sql, aggregation: Exclude<Aggregation, Percentile>): Fragment => sql`
  answer as (
    select place, jsonb_build_array(bucket, ${aggregated(sql, aggregation)}) as cell
    from change join shown using (labels)
    where bucket >= 0
    group by place, bucket
    having sum(observed) > 0
  )`;

/** Aggregates the `change` rows of one group and bucket. For levels, `sum` adds the last value of each series in the bucket. */
function aggregated(sql: Sql, aggregation: Exclude<Aggregation, Percentile>): Fragment {
  switch (aggregation) {
    case 'sum':
      return sql`sum(case when kind = 'level' then last_value when increase_value is null then increase_sum else increase_value end)
        filter (where kind <> 'level' or is_last)`;
    case 'avg':
      return sql`case when bool_and(kind = 'level') then sum(value) / sum(points)
        else sum(increase_sum) / nullif(sum(increase_count) filter (where increase_sum is not null), 0)::double precision end`;
    case 'min':
      return sql`min(min)`;
    case 'max':
      return sql`max(max)`;
    case 'rate':
      return sql`sum(coalesce(increase_value, increase_count::double precision))`;
  }
}
