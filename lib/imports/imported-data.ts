/** What an import brings: totals by day, and the values of lists by day. */
import type { Dimension } from '../analytics/dimensions.ts';

/** Other tools whose exports can be read. */
export const IMPORT_SOURCES = ['plausible', 'umami', 'ga4-csv'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** Operating systems are reported for consented visits only (docs/import.md#how-imported-days-count), which imports don't tell. */
export type ImportedDimension = Exclude<Dimension, 'os'> | 'page' | 'entry_page' | 'exit_page' | 'event';

export interface Figures {
  visitors: number;
  visits: number;
  /** Page views; of `event` how often it happened. */
  hits: number;
}

/** A date (`2026-11-21`) of the site's zone with its totals. */
export interface ImportedDay extends Figures {
  day: string;
}

/** Whole days of one dimension, as parallel lists. Places count from 1: of days in the import's list, of texts in `texts`. */
export interface ImportPart {
  dimension: ImportedDimension;
  texts: readonly string[];
  dayPlaces: readonly number[];
  textPlaces: readonly number[];
  visitors: readonly number[];
  visits: readonly number[];
  hits: readonly number[];
}

export interface ImportedData {
  source: ImportSource;
  /** In order, each once. */
  days: readonly ImportedDay[];
  dimensions: readonly ImportedDimension[];
  /** Of days and of values. */
  rows: number;
  /** Every day and value of a dimension once. */
  parts: () => Iterable<ImportPart>;
}
