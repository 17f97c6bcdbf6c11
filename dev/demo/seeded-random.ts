/** Repeatable random numbers: the same seed always gives the same numbers. Not for secrets. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  /** One of the values, chosen by weight. */
  pick<T>(weighted: readonly (readonly [T, number])[]): T;
  /** A version 4 uuid. */
  uuid(): string;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32, public domain: 32 bits of state are enough for generated visitors.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (weighted) => {
      let rest = next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
      const found = weighted.find(([, weight]) => {
        rest -= weight;
        return rest < 0;
      });
      const choice = found ?? weighted.at(-1);
      if (choice === undefined) throw new Error('nothing to pick from');
      return choice[0];
    },
    uuid: () => {
      const hex = Array.from({ length: 31 }, () => between(0, 15).toString(16)).join('');
      const variant = between(8, 11).toString(16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
    },
  };
}

/** Combines several integers into one seed, so that similar integers give very different seeds. */
export function mixSeeds(...parts: number[]): number {
  return parts.reduce((seed, part) => Math.imul(seed ^ part, 0x9e3779b1) ^ (seed >>> 13), 0x2545f491) >>> 0;
}
