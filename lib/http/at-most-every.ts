const MAX_KEYS = 10_000;

/**
 * Says of a key's works which may be done: one in `ms` milliseconds, in this isolate. For what only has to be done now and then,
 * however often there is a reason. Keys beyond 10,000 are forgotten, the oldest first.
 */
export function atMostEvery(ms: number, now: () => number = Date.now): (key: string) => boolean {
  const last = new Map<string, number>();
  return (key) => {
    const at = now();
    if (at - (last.get(key) ?? -Infinity) < ms) return false;
    last.delete(key);
    last.set(key, at);
    if (last.size > MAX_KEYS) last.delete(last.keys().next().value ?? key);
    return true;
  };
}
