/**
 * Whether two words are equal except for one typing error: one letter wrong, missing or added, or two neighbouring letters swapped.
 * Letters are UTF-16 units.
 */
export function differByOneError(a: string, b: string): boolean {
  if (a.length > b.length) return differByOneError(b, a);
  if (b.length - a.length > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  if (a.slice(start + 1) === b.slice(start + 1)) return true;
  if (a.length < b.length) return a.slice(start) === b.slice(start + 1);
  return a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2);
}
