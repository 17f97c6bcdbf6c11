import type { Overview, ReportMeta } from '../../api/operations.generated.ts';

const DAY = 86_400_000;

/**
 * How many visitors there were at least: the consented ones, and the mean of the anonymous ones a UTC day. An anonymous visitor has
 * another id each UTC day, so on one of n days there were at least a n-th of all ids. Undefined where that is all visitors, or not known.
 */
export function leastVisitors(
  { visitors, tiers }: Overview,
  { range, coverage, freshness }: ReportMeta,
): number | undefined {
  const anonymous = tiers?.visitors.anonymousSessions ?? 0;
  if (anonymous === 0 || coverage.since === null) return undefined;
  const from = Math.max(Date.parse(range.from), Date.parse(coverage.since));
  const to = Math.min(Date.parse(range.to), Date.parse(freshness.evaluatedAt));
  const days = Math.floor((to - 1) / DAY) - Math.floor(from / DAY) + 1;
  const least = visitors - anonymous + Math.ceil(anonymous / Math.max(1, days));
  return least < visitors ? least : undefined;
}
