const MAX_KEYS = 10_000;

/** Returns true at most once per key and `ms` milliseconds in this isolate. Remembers 10,000 keys; beyond that it forgets the oldest. */
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
