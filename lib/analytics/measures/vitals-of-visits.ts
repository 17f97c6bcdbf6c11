import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf } from '../../visits/dimension-sql.ts';
import { isDimension } from '../../visits/dimensions.ts';
import { VITAL_SCALES, VITALS } from '../../visits/vital-bounds.ts';
import { selectVisits } from '../reading/kept-visits.ts';
import type { ReportParts } from '../reading/run-report.ts';
import { onlyLarge } from '../reading/small-groups.ts';
import { pathOf } from '../sums/summed-blocks.ts';
import { fewestLoads, keepLoads, type VitalsQuestion, vitalBounds } from './vitals-question.ts';

/**
 * Tables `top` and `rated` (lib/analytics/measures/vitals.ts) of the page loads that visits have; the fragment begins with a comma.
 *
 * Scans the range's visits at tier 3 once by the index `visits_quarters`, and sorts the values of their loads, 500 of a visit at most.
 */
export function vitalsOfVisits(sql: Sql, asked: VitalsQuestion, parts: ReportParts): Fragment {
  const { range, narrowing, filters = [] } = asked;
  const { key, only, name } = groupOf(sql, asked);
  const ofVisits = filters.filter(({ dimension }) => dimension !== 'page');
  const visits = selectVisits(
    sql,
    { range, tier: 3, filters: ofVisits },
    parts.now,
    'lasting',
    sql`, vitals`,
  );
  const at = sql`started_at + load.ms * interval '1 millisecond'`;
  return sql`,
      loads as materialized (
        select ${key} as key, visitor_id, array[lcp, inp, cls, fcp, ttfb] as load
        from (${visits}) v
        cross join lateral loads_of(vitals) load
        where vitals is not null and ${at} >= (select from_at from range) and ${at} < (select to_at from range)
          and ${keepLoads(sql, asked, parts)} ${only}
      ),
      top as materialized (
        select key, measured, ${name} as name
        from (
          select key, count(*) as measured from loads where key is not null group by key
          ${onlyLarge(sql, narrowing, sql`count(distinct visitor_id)`)}
        ) l
        where measured >= ${fewestLoads(asked, parts)}::integer
      ),
      rated as (
        select key, metric, (percentile_disc(0.75) within group (order by value) / scale)::float8 as value, count(*) as whole,
          count(*) filter (where value <= good) as good, count(*) filter (where value <= acceptable) as acceptable
        from loads
        join top using (key)
        cross join ${vitalBounds(
          sql,
          VITALS.map((vital) => VITAL_SCALES[vital]),
        )} bound
        cross join lateral (select load[metric + 1] as value) one
        where value is not null
        group by key, metric, scale
      )`;
}

interface Group {
  /** What a load is grouped by; null where it has none. */
  key: Fragment;
  /** The condition on visits that have one; empty or begins with `and`. */
  only: Fragment;
  /** The name of a `key`. */
  name: Fragment;
}

function groupOf(sql: Sql, { group }: VitalsQuestion): Group {
  if (group === 'page')
    return {
      key: sql`path_id`,
      only: sql``,
      name: sql`(select path.value from (select key as path_id) k, lateral (${pathOf(sql)}) path)`,
    };
  if (!isDimension(group)) return { key: sql`0`, only: sql``, name: ofSite(sql) };
  const { id, only, values } = dimensionOf(sql, group);
  // An array, in which a look-up is one step: a join for each load takes longer where it is planned badly.
  const names = sql`(
    select array_agg(entry.value order by n)
    from generate_series(1, (select max(id) from ${values} entry)) as n left join ${values} entry on entry.id = n)`;
  return { key: sql`${names}[${id}]`, only, name: sql`key` };
}

/** What the whole site is called in the list. */
export const ofSite = (sql: Sql): Fragment =>
  sql`(select s.domain from sites s where s.key = (select site_key from range))`;
