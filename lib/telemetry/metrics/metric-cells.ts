import type { Fragment, Sql } from '../../db.ts';
import type { Aggregation, Percentile } from './aggregations.ts';

/**
 * CTE `answer`: `[bucket, value]` for each shown group and each bucket with an observation; for `rate`, the increase within the bucket.
 * For `sum` also all digits, if it is an integer beyond 2^53.
 */
export const metricCells = (sql: Sql, aggregation: Exclude<Aggregation, Percentile>): Fragment => sql`
  answer as (
    select position, jsonb_build_array(bucket, ${aggregated(sql, aggregation)}${
      aggregation === 'sum' ? sql`, metric_digits(${halves(sql).high}, ${halves(sql).low})` : sql``
    }) as cell
    from change join shown using (labels)
    where bucket >= 0
    group by position, bucket
    having sum(observed) > 0
  )`;

/** Aggregates the `change` rows of one group and bucket. For levels, `sum` adds the last value of each series in the bucket. */
function aggregated(sql: Sql, aggregation: Exclude<Aggregation, Percentile>): Fragment {
  switch (aggregation) {
    case 'sum':
      return sql`coalesce(metric_near(${halves(sql).high}, ${halves(sql).low}),
        sum(increase_sum) filter (where kind <> 'level'))`;
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

/** The sum of values in two halves (schema/functions/metric-rollups.sql); null of distributions. */
const halves = (sql: Sql): { high: Fragment; low: Fragment } => ({
  high: sql`sum(case kind when 'level' then metric_high(last_value) else increase_high end)
    filter (where kind <> 'level' or is_last)`,
  low: sql`sum(case kind when 'level' then metric_low(last_value, last_sum) else increase_low end)
    filter (where kind <> 'level' or is_last)`,
});
