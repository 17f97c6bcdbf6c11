/** How often functions were asked: by a route, or by another function. */

/** Number of answers, by function and status: `track 202`. Of `ingest` they are folds. */
export type Counts = Record<string, number>;

export interface Counter {
  count(fn: string, status: number): void;
  add(counts: Counts): void;
  /** All so far. */
  read(): Counts;
  /** All since it was last taken. */
  take(): Counts;
}

export function createCounter(): Counter {
  let counts: Counts = {};
  const add = (key: string, by: number): void => {
    counts[key] = (counts[key] ?? 0) + by;
  };
  return {
    count: (fn, status) => add(`${fn} ${status}`, 1),
    add: (others) => {
      for (const [key, by] of Object.entries(others)) add(key, by);
    },
    read: () => ({ ...counts }),
    take: () => {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}
