/** The data of an import: totals by day, and the values of lists by day. */
import { type Dimension, VISIT_DIMENSIONS } from './dimensions.ts';

/** Other tools whose exports this service can read. */
export const IMPORT_SOURCES = ['plausible', 'umami', 'ga4-csv'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/**
 * `os` is missing: reports show operating systems only for consented visits (docs/import.md#how-imported-days-count), and exports don't
 * tell consent.
 */
export type ImportedDimension = Exclude<Dimension, 'os'> | 'page' | 'entry_page' | 'exit_page' | 'event';

export const IMPORTED_DIMENSIONS: readonly ImportedDimension[] = [
  ...VISIT_DIMENSIONS.map(({ name }) => name).filter((name) => name !== 'os'),
  'page',
  'entry_page',
  'exit_page',
  'event',
];

export interface Figures {
  visitors: number;
  visits: number;
  /** Page views; for `event`, the number of events. */
  hits: number;
}

/** A date (`2026-11-21`) in the site's zone, with its totals. */
export interface ImportedDay extends Figures {
  day: string;
}

/** A value of a list on a day: date, value, visitors, visits, hits. */
export type ValueRow = [day: string, value: string, visitors: number, visits: number, hits: number];

export interface ImportedData {
  source: ImportSource;
  /** Sorted, each day once. */
  days: readonly ImportedDay[];
  dimensions: readonly ImportedDimension[];
  /** Number of days plus number of values. */
  rows: number;
  /** Has every day and value of a dimension exactly once; sorted by day within it. */
  values: () => Iterable<readonly [ImportedDimension, ValueRow]>;
}
