import type { Fragment, Sql } from '../../db.ts';
import { VITAL_BOUNDS, VITALS } from '../../visits/vital-bounds.ts';
import type { VitalsBy, VitalsSort } from '../reading/report-inputs.ts';
import type { ListInput, ReportParts } from '../reading/run-report.ts';
import { keepSums } from '../sums/summed-blocks.ts';

export interface VitalsQuestion extends ListInput {
  group: VitalsBy;
  sort: VitalsSort;
  /** Only rows of as many loads. */
  minMeasured: number;
}

/** By page, most loads first, however few these are, unless said otherwise. */
export type AskedVitals = ListInput & Partial<VitalsQuestion>;

/** How many loads a row must have. A row of the other range is compared whatever it has. */
export const fewestLoads = ({ minMeasured }: VitalsQuestion, { listed }: ReportParts): number =>
  listed === undefined ? minMeasured : 1;

/** The condition on `path_id`, after `where`: the pages that filters choose and, where pages are listed, those that are searched for. */
export const keepLoads = (sql: Sql, asked: VitalsQuestion, parts: ReportParts): Fragment => {
  const filters = (asked.filters ?? []).filter(({ dimension }) => dimension === 'page');
  return asked.group === 'page'
    ? keepSums(sql, { ...asked, filters }, parts)
    : keepSums(sql, { ...asked, filters, search: undefined }, {});
};

/** A relation `metric, good, acceptable` with the bounds of each vital, in its own unit times its `scale`. */
export const vitalBounds = (sql: Sql, scales: readonly number[]): Fragment => {
  const bounds = (of: 0 | 1) =>
    VITALS.map((vital, n) => Math.round(VITAL_BOUNDS[vital][of] * (scales[n] ?? 1) * 1e4) / 1e4);
  return sql`(
    select n::integer - 1 as metric, scale, good, acceptable
    from unnest(${[...scales]}::float8[], ${bounds(0)}::float8[], ${bounds(1)}::float8[]) with ordinality as b(scale, good, acceptable, n))`;
};
