/** Whether an alert's condition holds, from what was measured (docs/alerts.md#comparisons). Pure. */
import type { Compare } from './alert-fields.ts';

/** Why there is no data. */
export const NO_DATA_REASONS = [
  /** Nothing of the site or environment was ever received. */
  'never_received',
  /** The minutes of the window aren't counted yet. */
  'not_counted',
  /** A rate or percentile of nothing. */
  'nothing_to_divide',
  /** The same hours of the last four weeks aren't all known. */
  'no_baseline',
  /** They are known, and hold too little to compare with. */
  'small_baseline',
  /** The goal was deleted. */
  'no_goal',
] as const;
export type NoDataReason = (typeof NO_DATA_REASONS)[number];

/** Fewer than this in the same hours of an average week is no basis for percent. */
export const SMALLEST_BASELINE = 10;

export interface Reading {
  value: number | null;
  /** The mean of the same hours of the last four weeks. Undefined: not asked for. */
  baseline?: number | null;
  /** Why `value` or `baseline` is null. */
  reason: NoDataReason | null;
}

export interface Condition {
  compare: Compare;
  threshold: number;
}

/** By how many percent the value is above the baseline; below it, negative. */
export const changeOf = (value: number, baseline: number): number => ((value - baseline) / baseline) * 100;

/** Null: there is no data, or no baseline. */
export function holds({ compare, threshold }: Condition, { value, baseline }: Reading): boolean | null {
  if (value === null) return null;
  switch (compare) {
    case 'above':
      return value > threshold;
    case 'below':
      return value < threshold;
    case 'silent':
      return value === 0;
    case 'rose_by':
    case 'fell_by': {
      if (baseline === null || baseline === undefined || baseline <= 0) return null;
      const change = changeOf(value, baseline);
      return compare === 'rose_by' ? change >= threshold : -change >= threshold;
    }
  }
}
