import type { ReportContext } from '../../context.ts';
import { VITALS_RELATIVE_ERROR, type VitalsItem, type VitalsMeta } from '../answers/measure-schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import { type ListInput, type ListReport, pageOfRows } from '../reading/run-report.ts';
import { onlyLarge } from '../reading/small-groups.ts';
import { keepSums, pathOf, summedBlocks } from '../sums/summed-blocks.ts';

export type VitalsReport = ListReport<VitalsItem> & { meta: VitalsMeta };

/**
 * How fast pages were: the 75th percentiles (nearest rank) of the web vitals that loads at tier 3 reported in the range, by path.
 * They can be filtered by page alone. Within `VITALS_RELATIVE_ERROR`, then rounded: milliseconds to one decimal, `cls` to four.
 *
 * Reads the sums of the range by the primary key of `rollup_vitals` to find the paths to show; of the parts that have one of these,
 * the first ones as a rule, the bands, and the bins of those bands alone that hold a quantile. Raw events tell of
 * what came since the cron summed them.
 */
export async function reportVitals(ctx: ReportContext, input: ListInput): Promise<VitalsReport> {
  const { sql } = ctx;
  const list = await runComparedList<VitalsItem>(
    ctx,
    { ...input, tiers: [3] },
    {
      by: 'path',
      none: { measured: 0, lcp: null, inp: null, cls: null, fcp: null, ttfb: null },
      isWhole: true,
    },
    (asked, parts) => sql`
      with range as materialized (${parts.range}) ${summedBlocks(sql)},
      fresh as materialized (
        select path_id, bin, count(*)::integer as times
        from range
        cross join gaps
        cross join lateral vitals_of(site_key, gap_from, gap_to)
        group by path_id, bin
      ),
      loads as (
        select path_id, sum(measured) as measured
        from (
          -- In the list of a select, several unnest give one row for each position, three times as fast as after "from".
          select unnest(v.path_id) as path_id, unnest(v.measured) as measured
          from blocks
          join rollup_vitals v using (span, starts_at)
          where v.site_key = (select site_key from range)
          union all
          select path_id, times from fresh where bin < 0
        ) l
        where ${keepSums(sql, asked, parts)}
        group by path_id ${onlyLarge(sql, asked.narrowing, sql`sum(measured)`)}
        order by sum(measured) desc
        fetch first (${(asked.offset ?? 0) + asked.limit + 1}::integer) rows with ties
      ),
      top as materialized (
        select path_id, measured, text.value as path
        from loads
        cross join lateral (${pathOf(sql)}) text
        order by measured desc, text.value collate "C"
        ${pageOfRows(sql, asked)}
      ),
      bands as (
        select path_id, band, sum(times)::integer as times
        from (
          select unnest(v.band_path) as path_id, unnest(v.band) as band, unnest(v.band_told) as times
          from blocks
          join rollup_vitals v using (span, starts_at)
          where v.site_key = (select site_key from range) and v.path_id && array(select path_id from top)
          union all
          select path_id, bin / 32, times from fresh where bin >= 0
        ) b
        join top using (path_id)
        group by path_id, band
      ),
      -- The bands that hold the quantiles.
      found as materialized (
        select distinct on (path_id, band / 64) path_id, band, rank - times as before, whole
        from (
          select *, sum(times) over (partition by path_id, band / 64 order by band) as rank,
            sum(times) over (partition by path_id, band / 64) as whole
          from bands
        ) b
        where 4 * rank >= 3 * whole
        order by path_id, band / 64, band
      ),
      bins as (
        select of_path as path_id, part.bin, part.times
        from (
          -- Joined to an empty array they are unpacked, once for all slices.
          select band_path, band, band_first, bin || '{}'::smallint[] as bins, told || '{}'::integer[] as counts
          from blocks
          join rollup_vitals v using (span, starts_at)
          where v.site_key = (select site_key from range) and v.path_id && array(select path_id from top)
          offset 0
        ) v
        cross join lateral (
          select unnest(band_path) as of_path, unnest(band) as of_band, unnest(band_first) as first, unnest(band_first[2:]) as next
        ) b
        cross join lateral (select coalesce(next - 1, cardinality(bins)) as last) e
        cross join lateral unnest(bins[first:last], counts[first:last]) as part(bin, times)
        -- An array, since a join may be planned to unpack all of it once for each band.
        where of_path::bigint << 16 | of_band = any (array(select path_id::bigint << 16 | band from found))
        union all
        select path_id, bin, times from fresh where bin >= 0
      ),
      ranks as (
        select path_id, band, bin, whole, before + sum(b.times) over (partition by path_id, band order by bin) as rank
        from (select path_id, bin, sum(times)::integer as times from bins group by path_id, bin) b
        join found using (path_id)
        where bin / 32 = band
      ),
      quantiles as (
        select path_id, band / 64 as metric, vital_value(min(bin)) as value from ranks where 4 * rank >= 3 * whole group by path_id, band
      ),
      shown as (
        select path_id,
          round((max(value) filter (where metric = 0))::numeric, 1)::float8 as lcp,
          round((max(value) filter (where metric = 1))::numeric, 1)::float8 as inp,
          round((max(value) filter (where metric = 2))::numeric, 4)::float8 as cls,
          round((max(value) filter (where metric = 3))::numeric, 1)::float8 as fcp,
          round((max(value) filter (where metric = 4))::numeric, 1)::float8 as ttfb
        from quantiles group by path_id
      )
      select path, measured::float8, lcp, inp, cls, fcp, ttfb
      from top
      left join shown using (path_id)
      order by measured desc, path collate "C"`,
  );
  return { ...list, meta: { ...list.meta, approximate: { relativeError: VITALS_RELATIVE_ERROR } } };
}
