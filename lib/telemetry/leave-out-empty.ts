/** Copies the object without empty values and zeros; undefined if nothing is left, as for most rows. */
export function leaveOutEmpty(
  fields: Record<string, string | number>,
): Record<string, string | number> | undefined {
  const kept = Object.entries(fields).filter(([, value]) => value !== '' && value !== 0);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
