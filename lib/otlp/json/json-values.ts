import { malformed, within } from '../decode-errors.ts';
import { endBytes, joinEnds, STACK } from '../long-stacks.ts';
import { put } from '../numbers.ts';
import { MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES, MAX_NAME_BYTES, MAX_VALUE_DEPTH } from '../otlp-limits.ts';
import type { Tally } from '../request-tally.ts';
import {
  ATTRIBUTE_BYTES,
  ELEMENT_BYTES,
  HASHED_ATTRIBUTE_BYTES,
  LIST_BYTES,
  MAX_FAST_ATTRIBUTES,
} from '../row-bytes.ts';
import type { Attributes, Json } from '../rows.ts';
import {
  asDouble,
  asInt64,
  asObject,
  booleanOf,
  eachOf,
  type Fields,
  listOf,
  memberOf,
  stringOf,
  unsignedOf,
} from './json-fields.ts';
import { clean, cutText, isPlain, lastOfText, utf8Length } from './json-text.ts';

/** The same as in `protobuf-values.ts`. */
const ELEMENT_ROOM = 8;

/** Reads the `KeyValue`s of a member; default: `attributes`. */
export function attributesOf(fields: Fields, tally: Tally, name = 'attributes'): Attributes {
  const attributes: Attributes = {};
  eachOf(fields, name, (entry, at) => {
    if (at >= MAX_ATTRIBUTES) return tally.lose('attributes');
    tally.cut = false;
    tally.room = MAX_ATTRIBUTE_BYTES;
    const key = takeText(stringOf(entry, 'key'), tally);
    tally.room = MAX_ATTRIBUTE_BYTES;
    tally.keepsEnds = key === STACK;
    const value = anyValueOf(entry, 'value', tally, 0);
    tally.keepsEnds = false;
    if (tally.cut) tally.lose('values');
    tally.spend(at < MAX_FAST_ATTRIBUTES ? ATTRIBUTE_BYTES : HASHED_ATTRIBUTE_BYTES);
    tally.spendKey(key);
    put(attributes, key, value);
  });
  return attributes;
}

/** How many attributes are missing: those that the sender left out, and those beyond the limit. */
export const droppedAttributesOf = (fields: Fields): number =>
  unsignedOf(fields, 'droppedAttributesCount') +
  Math.max(0, listOf(fields, 'attributes').length - MAX_ATTRIBUTES);

/** Reads an `AnyValue` of at most `tally.room` bytes. Null if absent. */
export function anyValueOf(fields: Fields, name: string, tally: Tally, depth: number): Json {
  return fields[name] === undefined
    ? null
    : memberOf(fields, name, (value) => readValue(value, tally, depth));
}

function readValue(value: Fields, tally: Tally, depth: number): Json {
  if (isSet(value.stringValue)) return takeText(stringOf(value, 'stringValue'), tally);
  if (isSet(value.intValue)) return asInt64(value.intValue, 'intValue');
  if (isSet(value.doubleValue)) return asDouble(value.doubleValue, 'doubleValue');
  if (isSet(value.boolValue)) return booleanOf(value, 'boolValue');
  if (isSet(value.bytesValue)) return takeBytes(stringOf(value, 'bytesValue'), tally);
  const read = isSet(value.arrayValue) ? readList : isSet(value.kvlistValue) ? readMap : undefined;
  if (read === undefined) return null;
  if (depth === MAX_VALUE_DEPTH) {
    tally.cut = true;
    return null;
  }
  const name = read === readList ? 'arrayValue' : 'kvlistValue';
  return memberOf(value, name, (members) => read(members, tally, depth));
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function readList(fields: Fields, tally: Tally, depth: number): Json {
  tally.spend(LIST_BYTES);
  const list: Json[] = [];
  for (const [at, item] of listOf(fields, 'values').entries()) {
    if (!hasRoom(tally)) break;
    try {
      list.push(readValue(item === null ? {} : asObject(item), tally, depth + 1));
    } catch (error) {
      throw within(`values[${at}]`, error);
    }
  }
  return list;
}

function readMap(fields: Fields, tally: Tally, depth: number): Json {
  tally.spend(LIST_BYTES);
  const map: { [key: string]: Json } = {};
  let isFull = false;
  eachOf(fields, 'values', (entry) => {
    isFull ||= !hasRoom(tally);
    if (isFull) return;
    const key = takeText(stringOf(entry, 'key'), tally);
    tally.spendKey(key);
    put(map, key, anyValueOf(entry, 'value', tally, depth + 1));
  });
  return map;
}

/** Takes an element's bytes from `tally.room`. If no room is left, sets `tally.cut` and returns false. */
function hasRoom(tally: Tally): boolean {
  tally.room -= ELEMENT_ROOM;
  tally.spend(ELEMENT_BYTES);
  if (tally.room >= 0) return true;
  tally.room = 0;
  tally.cut = true;
  return false;
}

function takeText(text: string, tally: Tally): string {
  const { room } = tally;
  if (text.length <= room && isPlain(text)) {
    tally.room = room - text.length;
    return text;
  }
  const length = utf8Length(text);
  tally.room = Math.max(0, room - length);
  if (length <= room) return clean(text);
  tally.cut = true;
  if (!tally.keepsEnds) return clean(cutText(text, room));
  const bytes = endBytes(room);
  return clean(joinEnds(cutText(text, bytes), lastOfText(text, bytes)));
}

/** Protobuf's JSON allows both alphabets of base64, with or without padding. */
function takeBytes(text: string, tally: Tally): string {
  let binary: string;
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
  } catch {
    throw malformed('must be base64', 'bytesValue');
  }
  const { room } = tally;
  tally.room = Math.max(0, room - binary.length);
  if (binary.length > room) tally.cut = true;
  return btoa(binary.slice(0, room));
}

/** A text of limited length outside of attributes. A cut is counted in `tally`. */
export function nameOf(fields: Fields, name: string, tally: Tally, room: number = MAX_NAME_BYTES): string {
  const text = stringOf(fields, name);
  if (text.length <= room && isPlain(text)) return text;
  if (utf8Length(text) <= room) return clean(text);
  tally.lose('texts');
  return clean(cutText(text, room));
}
