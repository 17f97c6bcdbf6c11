interface Group {
  /** When its last request came, epoch milliseconds. */
  at: number;
  count: number;
}

/** A window has this many parts. Requests of one part leave the window together. */
export const WINDOW_PARTS = 60;

/**
 * Counts the requests of the last `windowMs` milliseconds. Those of one part of the window are one group, which leaves with its last
 * request, so the count is never too low, and at most 61 groups are kept.
 */
export class SlidingCount {
  readonly #windowMs: number;
  readonly #groups: Group[] = [];
  #sum = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  at(now: number): number {
    for (let first = this.#groups[0]; first !== undefined && first.at + this.#windowMs <= now; ) {
      this.#sum -= first.count;
      this.#groups.shift();
      first = this.#groups[0];
    }
    return this.#sum;
  }

  add(now: number, count = 1): void {
    const last = this.#groups.at(-1);
    const partMs = this.#windowMs / WINDOW_PARTS;
    this.#sum += count;
    if (last === undefined || Math.floor(last.at / partMs) < Math.floor(now / partMs))
      this.#groups.push({ at: now, count });
    else {
      last.at = Math.max(last.at, now);
      last.count += count;
    }
  }

  /** Takes back requests that were added and don't count after all. */
  undo(count = 1): void {
    for (let left = count; left > 0; ) {
      const last = this.#groups.findLast((group) => group.count > 0);
      if (last === undefined) return;
      const back = Math.min(left, last.count);
      last.count -= back;
      this.#sum -= back;
      left -= back;
    }
  }

  /** When the first requests leave the window, epoch milliseconds; `now` if there are none. */
  freeAt(now: number): number {
    const first = this.#groups[0];
    return first === undefined ? now : first.at + this.#windowMs;
  }
}
