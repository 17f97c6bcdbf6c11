import type { DropReason } from '../collection/track-message.ts';
import type { ImportedDimension } from '../imports/imported-data.ts';
import type { Filter } from './filters.ts';
import type { ReportMeta, Tier } from './schemas.ts';

/** What the database says of a report's range. Units are hours, in `live` minutes. */
export interface ContextRow {
  timezone: string;
  from_at: Date;
  to_at: Date;
  /** Units with any observation, of the `elapsed_units` that have begun (negative: none yet). */
  observed_units: number;
  elapsed_units: number;
  tiers: Tier[] | null;
  dropped: Partial<Record<DropReason, number>> | null;
  first_event_at: Date | null;
  last_event_at: Date | null;
  folded_at: Date | null;
  imported: ImportedRange[] | null;
}

/** The days of an import that lie in the range, as dates. */
interface ImportedRange {
  source: string;
  from: string;
  to: string;
  dimensions: string[];
}

/** What of imported days a report has in its figures. */
export type ImportedFigures = 'totals' | ImportedDimension;

export interface Asked {
  siteId: string;
  tier?: Tier | undefined;
  tiers?: readonly Tier[];
  filters?: readonly Filter[];
  imported?: ImportedFigures;
  evaluatedAt: string;
}

export function toMeta(asked: Asked, row: ContextRow): ReportMeta {
  const { siteId, tier, tiers, filters = [], evaluatedAt } = asked;
  const { bot = 0, datacenter = 0, spam = 0, hostname = 0, tier: aboveTier = 0 } = row.dropped ?? {};
  return {
    scope: {
      siteId,
      ...(tiers !== undefined && { tiers: [...tiers] }),
      filters: { ...(tier !== undefined && { privacyTier: tier }), ...describeFilters(filters) },
    },
    range: { from: row.from_at.toISOString(), to: row.to_at.toISOString(), timezone: row.timezone },
    coverage: {
      observed: row.observed_units > 0,
      since: row.first_event_at?.toISOString() ?? null,
      tiers: row.tiers ?? [],
      observedShare: shareOf(row.observed_units, row.elapsed_units),
      dropped: { bot, datacenter, spam, hostname, tier: aboveTier },
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

/** Imported days are totals at tier 2: nothing that is asked of single visits or of another tier finds them. */
function hasImported({ imported, tier = 2, filters = [] }: Asked, dimensions: readonly string[]): boolean {
  if (imported === undefined || tier !== 2 || filters.length > 0) return false;
  return imported === 'totals' || dimensions.includes(imported);
}

/** As `meta` repeats them: by dimension, what was asked. */
const describeFilters = (filters: readonly Filter[]): ReportMeta['scope']['filters'] =>
  Object.fromEntries(
    filters.map(({ dimension, operator, values }) => [dimension, { operator, values: [...values] }]),
  );

/** 0 to 1, three decimals. */
function shareOf(observed: number, elapsed: number): number {
  return elapsed <= 0 ? 0 : Math.min(1, Math.round((1000 * observed) / elapsed) / 1000);
}
