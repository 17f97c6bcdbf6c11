import { undecodable } from '../decode-errors.ts';
import { nanoseconds, numeric, signed64 } from '../numbers.ts';
import type { Numeric } from '../rows.ts';

/** An object of the request. Unknown members are never read. */
export type Fields = Record<string, unknown>;

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_COUNT = BigInt(Number.MAX_SAFE_INTEGER);
const INTEGER = /^-?\d{1,20}$/;
const NUMBER = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,4})?$/;

/** A member that is an object. Null counts as absent, as everywhere in protobuf's JSON. */
export function objectOf(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  return asObject(value, name);
}

export function asObject(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw undecodable('must be an object', path);
  }
  return value as Fields;
}

export function listOf(fields: Fields, name: string): unknown[] {
  const value = fields[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw undecodable('must be a list', name);
  return value;
}

export function stringOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw undecodable('must be a string', name);
  return value;
}

export function booleanOf(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw undecodable('must be true or false', name);
  return value;
}

/** A 32-bit integer. Enums are integers, never names. */
export function integerOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (value === undefined || value === null) return 0;
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < -(2 ** 31) || number >= 2 ** 32) {
    throw undecodable('must be an integer of 32 bits', name);
  }
  return number === 0 ? 0 : number;
}

/** A 32-bit integer with a sign, as a scale or an offset is. */
export function signedOf(fields: Fields, name: string): number {
  const value = integerOf(fields, name);
  if (value >= 2 ** 31) throw undecodable('must be an integer from -2147483648 to 2147483647', name);
  return value;
}

export function unsignedOf(fields: Fields, name: string): number {
  const value = integerOf(fields, name);
  if (value < 0) throw undecodable('must not be negative', name);
  return value;
}

/** An int64: a number if a double holds it exactly, otherwise a decimal string. */
export function asInt64(value: unknown, path: string): number | string {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : (value as number);
  if (typeof value === 'string' && value.length < 16 && INTEGER.test(value)) return Number(value) || 0;
  const exact = toBigInt(value);
  if (exact === undefined || exact > MAX_INT64 || exact < MIN_INT64) {
    throw undecodable('must be an integer of 64 bits', path);
  }
  return signed64(Number(exact >> 32n), Number(exact & 0xffffffffn));
}

/** A uint64; undefined above 2^53 - 1. */
export function asCount(value: unknown, path: string): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  const exact = toBigInt(value);
  // Compared as a bigint: the largest uint64 values round to 2^64 as doubles.
  if (exact === undefined || exact < 0n || exact >= 2n ** 64n) {
    throw undecodable('must be an unsigned integer of 64 bits', path);
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
    throw undecodable('must be nanoseconds since 1970, an unsigned integer of 64 bits', name);
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
  throw undecodable('must be a number', path);
}

function toBigInt(value: unknown): bigint | undefined {
  if (
    typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && INTEGER.test(value)
  ) {
    return BigInt(value as number | string);
  }
  return undefined;
}
