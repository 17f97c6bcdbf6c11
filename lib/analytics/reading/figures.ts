/** A division with one decimal; 0 where there is nothing to divide by. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : oneDecimal(part / whole);
}

/** A mean with one decimal; null where nothing was measured. */
export const meanOf = (sum: number, measured: number): number | null =>
  measured === 0 ? null : ratio(sum, measured);

/** Percent with one decimal: from 0 to 0 is 0, from 0 to n is 100 (docs/reports.md#the-reports). */
export function percentChange(before: number, after: number): number {
  if (before === 0) return after === 0 ? 0 : 100;
  return oneDecimal((100 * (after - before)) / before);
}

/** Never -0, which `Math.round` makes of small negative numbers. */
function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}
