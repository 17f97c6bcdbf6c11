import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { isDimension } from '../../visits/dimensions.ts';
import { VITALS, type Vital } from '../../visits/vital-bounds.ts';
import { VITALS_RELATIVE_ERROR, type VitalsItem, type VitalsMeta } from '../answers/measure-schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import { isFound, type ListReport, pageOfRows, type ReportParts } from '../reading/run-report.ts';
import { isTopAlone, vitalsOfSums } from './vitals-of-sums.ts';
import { vitalsOfVisits } from './vitals-of-visits.ts';
import type { AskedVitals, VitalsQuestion } from './vitals-question.ts';

export type VitalsReport = ListReport<VitalsItem> & { meta: VitalsMeta };

const UNKNOWN = { lcp: null, inp: null, cls: null, fcp: null, ttfb: null };

/**
 * How fast pages were: the 75th percentiles (nearest rank) of the web vitals that loads at tier 3 reported in the range, and how many were
 * good, need improvement or were poor. A filter by page chooses pages, others choose visits.
 *
 * Pages and the whole site are read from sums (`vitalsOfSums`), within `VITALS_RELATIVE_ERROR`. What tells visits apart is read from visits
 * (`vitalsOfVisits`), and exact. Both round milliseconds to one decimal, `cls` to four.
 */
export async function reportVitals(ctx: ReportContext, asked: AskedVitals): Promise<VitalsReport> {
  const { sql } = ctx;
  const input: VitalsQuestion = { group: 'page', sort: 'measured', minMeasured: 1, ...asked };
  const { group, filters = [] } = input;
  const isOfLoads = isDimension(group) || filters.some(({ dimension }) => dimension !== 'page');
  const list = await runComparedList<VitalsItem, VitalsQuestion>(
    ctx,
    { ...input, tiers: [3], isOfLoads },
    {
      by: group === 'page' ? 'path' : 'value',
      none: { measured: 0, ...UNKNOWN, shares: UNKNOWN },
      isWhole: true,
    },
    (of, parts) => sql`
      with range as materialized (${parts.range})
      ${isOfLoads ? vitalsOfVisits(sql, of, parts) : vitalsOfSums(sql, of, parts)}
      ${selectRated(sql, of, { parts, isPaged: !isOfLoads && isTopAlone(of) })}`,
  );
  if (isOfLoads) return list;
  return { ...list, meta: { ...list.meta, approximate: { relativeError: VITALS_RELATIVE_ERROR } } };
}

/**
 * The end of the statement, after tables `top` (`key, name, measured`) and `rated` (`key, metric, value, whole, good, acceptable`: the number
 * of loads, and those up to the first and to the second bound).
 */
function selectRated(
  sql: Sql,
  asked: VitalsQuestion,
  { parts, isPaged }: { parts: ReportParts; isPaged: boolean },
): Fragment {
  const { listed } = parts;
  const p75Of = (vital: Vital): Fragment =>
    sql`max(value) filter (where metric = ${VITALS.indexOf(vital)}::integer)`;
  const shareOf = (part: Fragment): Fragment => sql`round(100.0 * (${part}) / whole, 1)`;
  const order = {
    measured: sql`measured desc`,
    lcp: sql`lcp desc nulls last, measured desc`,
    inp: sql`inp desc nulls last, measured desc`,
    cls: sql`cls desc nulls last, measured desc`,
    fcp: sql`fcp desc nulls last, measured desc`,
    ttfb: sql`ttfb desc nulls last, measured desc`,
  }[asked.sort];
  return sql`
      select ${asked.group === 'page' ? sql`name as path` : sql`name as value`}, measured::float8, lcp, inp, cls, fcp, ttfb, shares
      from top
      join (
        select key, ${p75Of('lcp')} as lcp, ${p75Of('inp')} as inp, ${p75Of('cls')} as cls, ${p75Of('fcp')} as fcp,
          ${p75Of('ttfb')} as ttfb,
          jsonb_object_agg(
            (${[...VITALS]}::text[])[metric + 1],
            case when whole > 0 then jsonb_build_object('good', ${shareOf(sql`good`)},
              'needsImprovement', ${shareOf(sql`acceptable - good`)}, 'poor', ${shareOf(sql`whole - acceptable`)})
            end
          ) as shares
        from (select key from top) t cross join generate_series(0, 4) as metric left join rated using (key, metric)
        group by key
      ) shown using (key)
      where ${asked.group === 'page' ? sql`true` : isFound(sql, sql`name`, asked)}
        ${listed === undefined ? sql`` : sql`and name in (select l.name from ${listed} l)`}
      order by ${order}, name collate "C"
      ${isPaged ? sql`` : pageOfRows(sql, asked)}`;
}
