import type { Fragment, Sql } from '../../db.ts';
import { attributeTerms } from '../attribute-terms.ts';
import type { Instants } from '../telemetry-range.ts';
import type { ReadMetric } from './metric-schemas.ts';

/** Maximum number of series that an answer reads; more would take too long. */
export const MAX_SERIES = 10_000;

/**
 * CTEs `kinds`, the types and units of the name's series, most series first; and `member`, the series of the first kind, with their
 * `labels`. Uses metric_series_name; cost grows with the series of the name. Includes series that sent something since the range began
 * (a clock may be a day ahead).
 */
export const metricMembers = (
  sql: Sql,
  { fromDay }: Instants,
  asked: Omit<ReadMetric, 'aggregation' | 'interval'>,
): Fragment => sql`
  named as materialized (
    select s.id, s.type, s.unit, s.monotonic, s.temporality, s.last_day, metric_kind(s.type, s.temporality, s.monotonic) as kind,
      array(
        select case key when 'service' then r.service else coalesce(s.attributes ->> key, r.attributes ->> key) end
        from unnest(${asked.groupBy}::text[]) with ordinality as listed(key, n) order by n
      ) as labels
    from metric_series s
    join otlp_resources r on r.environment_key = s.environment_key and r.id = s.resource_id
    where s.environment_key = (select key from environment) and s.name = ${asked.name} and s.last_day >= ${fromDay}::date - 1
      and (${asked.service ?? null}::text is null or r.service = ${asked.service ?? null})
      and (${asked.type ?? null}::text is null or s.type = ${asked.type ?? null})
      and (${asked.unit ?? null}::text is null or s.unit = ${asked.unit ?? null})
      and (${attributeTerms(asked.attributes)}::text[] is null
        or s.attributes @@ array_to_string(${attributeTerms(asked.attributes)}::text[], '$')::jsonpath)
      and (${attributeTerms(asked.resource)}::text[] is null
        or r.attributes @@ array_to_string(${attributeTerms(asked.resource)}::text[], '$')::jsonpath)
  ), kinds as materialized (
    select type, unit, monotonic, array_agg(distinct temporality) as temporalities, count(*) as series
    from named group by type, unit, monotonic
  ), member as materialized (
    select id, kind, labels
    from named
    join (select type, unit, monotonic from kinds order by series desc, type, unit, monotonic limit 1) first
      using (type, unit, monotonic)
    order by last_day desc, id limit ${MAX_SERIES}
  )`;
