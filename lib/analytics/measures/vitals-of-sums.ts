import type { Fragment, Sql } from '../../db.ts';
import { VITALS } from '../../visits/vital-bounds.ts';
import { pageOfRows, type ReportParts } from '../reading/run-report.ts';
import { onlyLarge } from '../reading/small-groups.ts';
import { pathOf, summedBlocks } from '../sums/summed-blocks.ts';
import { ofSite } from './vitals-of-visits.ts';
import { fewestLoads, keepLoads, type VitalsQuestion, vitalBounds } from './vitals-question.ts';

/** Whether the rows to show are known before their vitals are. */
export const isTopAlone = ({ group, sort }: VitalsQuestion): boolean =>
  group === 'page' && sort === 'measured';

/**
 * Tables `top` and `rated` (lib/analytics/measures/vitals.ts) of pages, or of the whole site, from sums; the fragment begins with a comma.
 *
 * Reads the sums of the range by the primary key of `rollup_vitals`. The pages with the most loads are in the first parts of blocks: where they
 * alone are shown, it reads these parts, the bands, and the bins of those bands alone that hold a quantile or a bound. Sorted by a vital
 * it unpacks all bins of the range, at most 4,096 of each part. Raw events tell of what came since the cron summed them.
 */
export function vitalsOfSums(sql: Sql, asked: VitalsQuestion, parts: ReportParts): Fragment {
  const isOfPages = asked.group === 'page';
  const keyOf = (path: Fragment): Fragment => (isOfPages ? path : sql`0`);
  const kept = keepLoads(sql, asked, parts);
  // Parts and rows of pages that aren't shown.
  const ofParts = isTopAlone(asked) ? sql`and v.path_id && array(select key from top)` : sql``;
  const ofRows = isOfPages ? sql`true` : kept;
  const ofBands = isTopAlone(asked)
    ? sql`(of_band in (select band from marks)
          or of_path::bigint << 16 | of_band = any (array(select key::bigint << 16 | band from found)))`
    : sql`true`;
  const blocks = sql`
          from blocks
          join rollup_vitals v using (span, starts_at)
          where v.site_key = (select site_key from range)`;
  return sql` ${summedBlocks(sql)},
      fresh as materialized (
        select path_id, bin, count(*)::integer as times
        from range
        cross join gaps
        cross join lateral vitals_of(site_key, gap_from, gap_to)
        group by path_id, bin
      ),
      sums as (
        select key, sum(measured) as measured
        from (
          select ${keyOf(sql`path_id`)} as key, measured
          from (
            -- In the list of a select, several unnest give one row for each position, three times as fast as after "from".
            select unnest(v.path_id) as path_id, unnest(v.measured) as measured ${blocks}
            union all
            select path_id, times from fresh where bin < 0
          ) l
          where ${kept}
        ) l
        group by key ${onlyLarge(sql, asked.narrowing, sql`sum(measured)`)}
      ),
      top as materialized (
        select key, measured, ${isOfPages ? sql`text.value` : ofSite(sql)} as name
        from (
          select key, measured, key as path_id from sums where measured >= ${fewestLoads(asked, parts)}::integer
          order by measured desc
          ${isTopAlone(asked) ? sql`fetch first (${(asked.offset ?? 0) + asked.limit + 1}::integer) rows with ties` : sql``}
        ) l
        ${isOfPages ? sql`cross join lateral (${pathOf(sql)}) text` : sql``}
        ${isTopAlone(asked) ? sql`order by measured desc, text.value collate "C" ${pageOfRows(sql, asked)}` : sql``}
      ),
      bounds as materialized (
        select metric, good - (vital_value(good) > good_at)::integer as good,
          acceptable - (vital_value(acceptable) > acceptable_at)::integer as acceptable
        from (
          select metric, b.good as good_at, b.acceptable as acceptable_at, vital_bin(metric, b.good)::integer as good,
            vital_bin(metric, b.acceptable)::integer as acceptable
          from ${vitalBounds(
            sql,
            VITALS.map(() => 1),
          )} b
        ) b
      ),
      marks as materialized (select good / 32 as band from bounds union select acceptable / 32 from bounds),
      bands as materialized (
        select key, band, sum(times)::integer as times
        from (
          select ${keyOf(sql`path_id`)} as key, band, times
          from (
            select unnest(v.band_path) as path_id, unnest(v.band) as band, unnest(v.band_told) as times ${blocks} ${ofParts}
            union all
            select path_id, bin / 32, times from fresh where bin >= 0
          ) b
          where ${ofRows}
        ) b
        join top using (key)
        group by key, band
      ),
      -- The bands that hold the quantiles.
      found as materialized (
        select distinct on (key, band / 64) key, band, rank - times as before, whole
        from (
          select *, sum(times) over (partition by key, band / 64 order by band) as rank,
            sum(times) over (partition by key, band / 64) as whole
          from bands
        ) b
        where 4 * rank >= 3 * whole
        order by key, band / 64, band
      ),
      bins as materialized (
        select key, bin, sum(times)::integer as times
        from (
          select ${keyOf(sql`path_id`)} as key, bin, times
          from (
            select of_path as path_id, part.bin, part.times
            from (
              -- Joined to an empty array they are unpacked, once for all slices.
              select band_path, band, band_first, bin || '{}'::smallint[] as bins, told || '{}'::integer[] as counts ${blocks} ${ofParts}
              offset 0
            ) v
            cross join lateral (
              select unnest(band_path) as of_path, unnest(band) as of_band, unnest(band_first) as first, unnest(band_first[2:]) as next
            ) b
            cross join lateral (select coalesce(next - 1, cardinality(bins)) as last) e
            cross join lateral unnest(bins[first:last], counts[first:last]) as part(bin, times)
            where ${ofBands}
            union all
            select path_id, bin, times from fresh where bin >= 0
          ) b
          where ${ofRows}
        ) b
        join top using (key)
        group by key, bin
      ),
      quantiles as (
        select key, band / 64 as metric, whole, vital_value(min(bin)) as value
        from (
          select key, band, bin, whole, before + sum(b.times) over (partition by key, band order by bin) as rank
          from bins b
          join found using (key)
          where bin / 32 = band
        ) ranks
        where 4 * rank >= 3 * whole
        group by key, band, whole
      ),
      -- Loads up to the bounds: in the bands before these, and in the bands that hold them.
      before_bounds as (
        select key, metric, sum(times) filter (where band < good / 32) as good, sum(times) filter (where band < acceptable / 32) as acceptable
        from bands join bounds on metric = band / 64
        group by key, metric
      ),
      at_bounds as (
        select key, metric, sum(times) filter (where bin / 32 = good / 32 and bin <= good) as good,
          sum(times) filter (where bin / 32 = acceptable / 32 and bin <= acceptable) as acceptable
        from bins join bounds on metric = bin / 2048
        group by key, metric
      ),
      rated as (
        select key, metric, whole, round(value::numeric, case metric when 2 then 4 else 1 end)::float8 as value,
          coalesce(b.good, 0) + coalesce(a.good, 0) as good, coalesce(b.acceptable, 0) + coalesce(a.acceptable, 0) as acceptable
        from quantiles
        left join before_bounds b using (key, metric)
        left join at_bounds a using (key, metric)
      )`;
}
