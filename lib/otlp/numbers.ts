import type { Json, Numeric } from './rows.ts';

const TWO_32 = 2 ** 32;

/** A double in the form of rows: JSON has neither non-finite numbers nor a negative zero. */
export function numeric(value: number): Numeric {
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

/** A signed 64-bit integer from two halves; `low` is unsigned. */
export function signed64(high: number, low: number): number | string {
  const value = (high | 0) * TWO_32 + low;
  if (Number.isSafeInteger(value)) return value;
  return ((BigInt(high | 0) << 32n) | BigInt(low)).toString();
}

/** An unsigned 64-bit integer from two unsigned halves; undefined above 2^53 - 1. */
export function count64(high: number, low: number): number | undefined {
  const value = high * TWO_32 + low;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Nanoseconds from two unsigned halves; undefined above 2^63 - 1. */
export function nanoseconds(high: number, low: number): string | undefined {
  if (high > 0x7fffffff) return undefined;
  if (high < 0x200000) return String(high * TWO_32 + low);
  // Computes groups of 7 digits: 2^24 is 1|6777216, 2^48 is 2|8147497|6710656. Much faster than a BigInt.
  const middle = ((low >>> 24) | (high << 8)) & 0xffffff;
  const upper = high >>> 16;
  const first = (low & 0xffffff) + middle * 6777216 + upper * 6710656;
  const second = middle + upper * 8147497 + Math.floor(first / 1e7);
  const third = upper * 2 + Math.floor(second / 1e7);
  return `${third}${sevenDigits(second % 1e7)}${sevenDigits(first % 1e7)}`;
}

function sevenDigits(value: number): string {
  const text = String(value);
  return text.length === 7 ? text : text.padStart(7, '0');
}

/** Nanoseconds between two times; 0 without an end, or if the end is before the start. */
export function duration(start: string, end: string): number {
  if (end === '0') return 0;
  const difference =
    (Number(end.slice(0, -9)) - Number(start.slice(0, -9))) * 1e9 +
    (Number(end.slice(-9)) - Number(start.slice(-9)));
  return Math.min(Math.max(difference, 0), Number.MAX_SAFE_INTEGER);
}

/** The number if it is one of `0` to `max`, otherwise 0: unknown values of an enum count as unspecified. */
export const enumeration = (value: number, max: number): number => (value >= 0 && value <= max ? value : 0);

/** Sets a property whose name may be `__proto__`. */
export function put(into: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') into[key] = value;
  else Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
}
