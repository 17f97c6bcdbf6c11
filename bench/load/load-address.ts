/** Client addresses of 198.18.0.0/15, which is reserved for benchmarks (RFC 2544). */

/** The number of addresses in that network. */
export const ADDRESSES = 2 ** 17;

/** `number`: from 0 to below `ADDRESSES`. */
export const addressOf = (number: number): string =>
  `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

/** Returns one address after the other, then starts again: a minute of a benchmark has fewer requests than addresses. */
export function* everyAddress(): Generator<string, never> {
  for (let number = 0; ; number = (number + 1) % ADDRESSES) yield addressOf(number);
}
