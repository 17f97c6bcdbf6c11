import { malformed, within } from '../decode-errors.ts';
import { nanoseconds, numeric, signed64 } from '../numbers.ts';
import type { Numeric } from '../rows.ts';

/** An object of the request. Unknown members are never read. */
export type Fields = Record<string, unknown>;

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_COUNT = BigInt(Number.MAX_SAFE_INTEGER);
const INTEGER = /^-?\d{1,20}$/;
/** Protobuf's JSON takes `1e3` and `5.0` for integers too. */
const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;
/** More than a 64-bit integer has. */
const MAX_DIGITS = 40;
const NUMBER = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,4})?$/;

/** A member that is an object. Null counts as absent, as everywhere in protobuf's JSON. */
export function objectOf(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  return asObject(value, name);
}

export function asObject(value: unknown, path = ''): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('must be an object', path);
  }
  return value as Fields;
}

export function listOf(fields: Fields, name: string): unknown[] {
  const value = fields[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw malformed('must be a list', name);
  return value;
}

/** Reads each object of a list. An error within one says which: `spans[7].kind`. */
export function eachOf(fields: Fields, name: string, read: (item: Fields, at: number) => void): void {
  const list = listOf(fields, name);
  for (let at = 0; at < list.length; at += 1) {
    try {
      read(asObject(list[at]), at);
    } catch (error) {
      throw within(`${name}[${at}]`, error);
    }
  }
}

/** Reads each value of a list, up to `limit`. */
export function mapOf<Value>(
  fields: Fields,
  name: string,
  read: (value: unknown, path: string) => Value,
  limit: number,
): Value[] {
  return listOf(fields, name)
    .slice(0, limit)
    .map((value, at) => {
      try {
        return read(value, '');
      } catch (error) {
        throw within(`${name}[${at}]`, error);
      }
    });
}

/** Reads a member that is an object; an absent one is empty. */
export function memberOf<Value>(fields: Fields, name: string, read: (member: Fields) => Value): Value {
  const member = objectOf(fields, name) ?? {};
  try {
    return read(member);
  } catch (error) {
    throw within(name, error);
  }
}

export function stringOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw malformed('must be a string', name);
  return value;
}

export function booleanOf(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw malformed('must be true or false', name);
  return value;
}

/** A 32-bit integer. Enums are integers, never names. */
export function integerOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (value === undefined || value === null) return 0;
  const number = typeof value === 'string' ? Number(exactInteger(value) ?? Number.NaN) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < -(2 ** 31) || number >= 2 ** 32) {
    throw malformed('must be an integer of 32 bits', name);
  }
  return number === 0 ? 0 : number;
}

/** A 32-bit integer with a sign, as a scale or an offset is. */
export function signedOf(fields: Fields, name: string): number {
  const value = integerOf(fields, name);
  if (value >= 2 ** 31) throw malformed('must be an integer from -2147483648 to 2147483647', name);
  return value;
}

export function unsignedOf(fields: Fields, name: string): number {
  const value = integerOf(fields, name);
  if (value < 0) throw malformed('must not be negative', name);
  return value;
}

/** An int64: a number if a double holds it exactly, otherwise a decimal string. */
export function asInt64(value: unknown, path: string): number | string {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : (value as number);
  if (typeof value === 'string' && value.length < 16 && INTEGER.test(value)) return Number(value) || 0;
  const exact = toBigInt(value);
  if (exact === undefined || exact > MAX_INT64 || exact < MIN_INT64) {
    throw malformed('must be an integer of 64 bits', path);
  }
  return signed64(Number(exact >> 32n), Number(exact & 0xffffffffn));
}

/** A uint64; undefined above 2^53 - 1. */
export function asCount(value: unknown, path: string): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  const exact = toBigInt(value);
  // Compared as a bigint: the largest uint64 values round to 2^64 as doubles.
  if (exact === undefined || exact < 0n || exact >= 2n ** 64n) {
    throw malformed('must be an unsigned integer of 64 bits', path);
  }
  return exact > MAX_COUNT ? undefined : Number(exact);
}

/** Nanoseconds as decimal digits; `'0'` if absent, undefined above 2^63 - 1. */
export function timeOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return '0';
  if (typeof value === 'string' && value.length === 19 && /^[1-8]\d{18}$/.test(value)) return value;
  const exact = toBigInt(value);
  if (exact === undefined || exact < 0n || exact >= 2n ** 64n) {
    throw malformed('must be nanoseconds since 1970, an unsigned integer of 64 bits', name);
  }
  return nanoseconds(Number(exact >> 32n), Number(exact & 0xffffffffn));
}

/** Undefined if absent. */
export function doubleOf(fields: Fields, name: string): Numeric | undefined {
  const value = fields[name];
  return value === undefined || value === null ? undefined : asDouble(value, name);
}

export function asDouble(value: unknown, path: string): Numeric {
  if (typeof value === 'number') return numeric(value);
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
  if (typeof value === 'string' && NUMBER.test(value)) return numeric(Number(value));
  throw malformed('must be a number', path);
}

function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'string') return exactInteger(value);
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** The integer that a decimal text stands for, with all digits. Undefined for fractions, and beyond 40 digits. */
function exactInteger(text: string): bigint | undefined {
  if (INTEGER.test(text)) return BigInt(text);
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  const shift = Number(exponent) - fraction.length;
  if (digits === '') return 0n;
  if (digits.length + shift > MAX_DIGITS) return undefined;
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`);
  return /^0*$/.test(digits.slice(shift)) ? BigInt(`${sign}${digits.slice(0, shift) || '0'}`) : undefined;
}
