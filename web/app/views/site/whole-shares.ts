/** Shares in whole percent that add up to 100: the largest remainders are rounded up. */
export function wholeShares(counts: readonly number[]): number[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  const exactly = counts.map((count) => (sum === 0 ? 0 : (100 * count) / sum));
  const missing = (sum === 0 ? 0 : 100) - exactly.reduce((total, share) => total + Math.floor(share), 0);
  const byRemainder = exactly
    .map((share, index) => ({ index, rest: share % 1 }))
    .sort((a, b) => b.rest - a.rest);
  const raised = new Set(byRemainder.slice(0, Math.round(missing)).map(({ index }) => index));
  return exactly.map((share, index) => Math.floor(share) + (raised.has(index) ? 1 : 0));
}
