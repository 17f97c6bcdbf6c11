import { NEW_VALUES, type NewValues } from '../../visits/dimensions.ts';
import type { ImportedDimension } from '../../visits/imported-data.ts';
import type { DroppedReason, ReportMeta, Tier } from '../answers/schemas.ts';
import { type Filter, nameOf } from './filters.ts';
import type { NamedValue } from './unmatched.ts';

/** The database's row about a report's range. Units are hours, in `live` minutes. */
export interface ContextRow {
  timezone: string;
  from_at: Date;
  to_at: Date;
  /** Units with any observation, of the `elapsed_units` that have begun (negative: none yet). */
  observed_units: number;
  elapsed_units: number;
  tiers: Tier[] | null;
  dropped: Partial<Record<DroppedReason, number>> | null;
  other: Partial<Record<NewValues, number>> | null;
  first_event_at: Date | null;
  last_event_at: Date | null;
  folded_at: Date | null;
  vitals_from?: Date | null;
  imported: ImportedRange[] | null;
}

/** The days of an import that lie in the range, as dates. */
interface ImportedRange {
  source: string;
  from: string;
  to: string;
  dimensions: string[];
}

/** Filters of visits. */
interface Kept {
  tier?: Tier | undefined;
  filters?: readonly Filter[] | undefined;
}

/** The segment of a request. Its filters are among those of the input. */
export interface Within extends Kept {
  id: string;
  name: string;
  /** What the request restricts beside the segment. */
  beside: Kept;
}

/** Which figures of imported days a report includes. */
export type ImportedFigures = 'totals' | ImportedDimension;

export interface Asked {
  siteId: string;
  tier?: Tier | undefined;
  tiers?: readonly Tier[];
  filters?: readonly Filter[];
  imported?: ImportedFigures;
  /** Whether the report is about page loads that visits have. `meta` says since when there are any. */
  isOfLoads?: boolean;
  within?: Within | undefined;
  /** If present, small groups are withheld. */
  narrowing?: object | undefined;
  /** Values of the filters that the site doesn't have. */
  unmatched?: readonly NamedValue[] | null;
  evaluatedAt: string;
}

export function toMeta(asked: Asked, row: ContextRow): ReportMeta {
  const { siteId, tiers, within, unmatched, evaluatedAt } = asked;
  const {
    bot = 0,
    datacenter = 0,
    spam = 0,
    invalid = 0,
    hostname = 0,
    tier: aboveTier = 0,
    properties = 0,
  } = row.dropped ?? {};
  return {
    scope: {
      siteId,
      ...(tiers !== undefined && { tiers: [...tiers] }),
      filters: describeFilters(within?.beside ?? asked),
      ...(within !== undefined && {
        segment: { id: within.id, name: within.name, filters: describeFilters(within) },
      }),
      ...(unmatched && { unmatched: unmatched.map((value) => ({ ...value, same: false, nearest: [] })) }),
    },
    range: { from: row.from_at.toISOString(), to: row.to_at.toISOString(), timezone: row.timezone },
    coverage: {
      observed: row.observed_units > 0,
      since: row.first_event_at?.toISOString() ?? null,
      tiers: row.tiers ?? [],
      ...(asked.isOfLoads && { vitalsFrom: row.vitals_from?.toISOString() ?? null }),
      observedShare: shareOf(row.observed_units, row.elapsed_units),
      dropped: { bot, datacenter, spam, invalid, hostname, tier: aboveTier, properties },
      other: countsOf(row.other ?? {}),
      imported: (row.imported ?? []).map(({ dimensions, ...range }) => ({
        ...range,
        counted: hasImported(asked, dimensions),
      })),
    },
    freshness: {
      lastEventAt: row.last_event_at?.toISOString() ?? null,
      foldedAt: row.folded_at?.toISOString() ?? null,
      evaluatedAt,
    },
  };
}

const countsOf = (other: Partial<Record<NewValues, number>>) =>
  Object.fromEntries(NEW_VALUES.map((kind) => [kind, other[kind] ?? 0])) as Record<NewValues, number>;

/** Imported days have totals at tier 2 only, so reports about single visits or another tier don't include them. */
function hasImported(
  { imported, tier = 2, filters = [], narrowing }: Asked,
  dimensions: readonly string[],
): boolean {
  if (imported === undefined || tier !== 2 || filters.length > 0 || narrowing !== undefined) return false;
  return imported === 'totals' || dimensions.includes(imported);
}

/** The filters as `meta` repeats them, by name. */
const describeFilters = ({ tier, filters = [] }: Kept): ReportMeta['scope']['filters'] => ({
  ...(tier !== undefined && { privacyTier: tier }),
  ...Object.fromEntries(
    filters.map((filter) => [nameOf(filter), { operator: filter.operator, values: [...filter.values] }]),
  ),
});

/** 0 to 1, three decimals. */
function shareOf(observed: number, elapsed: number): number {
  return elapsed <= 0 ? 0 : Math.min(1, Math.round((1000 * observed) / elapsed) / 1000);
}
