/** Addresses of clients, of 198.18.0.0/15, which is for benchmarks (RFC 2544). */

/** As many as there are. */
export const ADDRESSES = 2 ** 17;

/** `number`: from 0, below `ADDRESSES`. */
export const addressOf = (number: number): string =>
  `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

/** One after the other, and from the start again: a minute of a benchmark has fewer requests than there are. */
export function* everyAddress(): Generator<string, never> {
  for (let number = 0; ; number = (number + 1) % ADDRESSES) yield addressOf(number);
}
