import { toBase64 } from '../base64.ts';
import { STACK } from '../long-stacks.ts';
import { put } from '../numbers.ts';
import { MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES, MAX_VALUE_DEPTH } from '../otlp-limits.ts';
import {
  ATTRIBUTE_BYTES,
  ELEMENT_BYTES,
  HASHED_ATTRIBUTE_BYTES,
  KEY_BYTES,
  LIST_BYTES,
  MAX_FAST_ATTRIBUTES,
} from '../row-bytes.ts';
import type { Attributes, Json } from '../rows.ts';
import type { Reader } from './protobuf-reader.ts';

/** How much of a value's room each element of a list or map takes, besides its texts. */
const ELEMENT_ROOM = 8;

/** Reads the next `KeyValue` into `into`, after `read` others. Returns how many were read, those beyond the limit included. */
export function readAttribute(reader: Reader, limit: number, into: Attributes, read: number): number {
  const { tally } = reader;
  if (read >= MAX_ATTRIBUTES) {
    reader.pos = reader.end(limit);
    tally.lose('attributes');
    return read + 1;
  }
  const end = reader.end(limit);
  let key = '';
  let value: Json = null;
  tally.cut = false;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) {
      const { textsMade } = reader;
      key = reader.text(end, MAX_ATTRIBUTE_BYTES);
      if (reader.textsMade !== textsMade) tally.spend(KEY_BYTES);
    } else if (tag === 18) {
      tally.room = MAX_ATTRIBUTE_BYTES;
      tally.keepsEnds = key === STACK;
      value = readValue(reader, end, 0);
      tally.keepsEnds = false;
    } else reader.skip(tag, end);
  }
  reader.close(end);
  if (tally.cut) tally.lose('values');
  tally.spend(read < MAX_FAST_ATTRIBUTES ? ATTRIBUTE_BYTES : HASHED_ATTRIBUTE_BYTES);
  put(into, key, value);
  return read + 1;
}

/** How many attributes are missing: those that the sender left out, and those beyond the limit. */
export const withDropped = (sent: number, read: number): number => sent + Math.max(0, read - MAX_ATTRIBUTES);

/** Reads an `AnyValue` of at most `tally.room` bytes. */
export function readValue(reader: Reader, limit: number, depth: number): Json {
  const end = reader.end(limit);
  let value: Json = null;
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10:
        value = reader.valueText(end);
        break;
      case 16:
        value = reader.bool();
        break;
      case 24:
        value = reader.int64();
        break;
      case 33:
        value = reader.double();
        break;
      case 42:
        value = depth < MAX_VALUE_DEPTH ? readList(reader, end, depth) : cutOff(reader, end);
        break;
      case 50:
        value = depth < MAX_VALUE_DEPTH ? readMap(reader, end, depth) : cutOff(reader, end);
        break;
      case 58:
        value = readBytes(reader, end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  return value;
}

function readBytes(reader: Reader, limit: number): string {
  const text = toBase64(reader.valueBytes(limit));
  reader.tally.spend(text.length);
  return text;
}

function readList(reader: Reader, limit: number, depth: number): Json {
  const end = reader.end(limit);
  reader.tally.spend(LIST_BYTES);
  const list: Json[] = [];
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag !== 10) reader.skip(tag, end);
    else if (hasRoom(reader)) list.push(readValue(reader, end, depth + 1));
    else reader.pos = end;
  }
  reader.close(end);
  return list;
}

function readMap(reader: Reader, limit: number, depth: number): Json {
  const end = reader.end(limit);
  reader.tally.spend(LIST_BYTES);
  const map: { [key: string]: Json } = {};
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag !== 10) reader.skip(tag, end);
    else if (hasRoom(reader)) readEntry(reader, end, map, depth);
    else reader.pos = end;
  }
  reader.close(end);
  return map;
}

function readEntry(reader: Reader, limit: number, map: { [key: string]: Json }, depth: number): void {
  const end = reader.end(limit);
  let key = '';
  let value: Json = null;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) {
      const { textsMade } = reader;
      key = reader.valueText(end);
      if (reader.textsMade !== textsMade) reader.tally.spend(KEY_BYTES);
    } else if (tag === 18) value = readValue(reader, end, depth + 1);
    else reader.skip(tag, end);
  }
  reader.close(end);
  put(map, key, value);
}

/** Takes an element's bytes from `tally.room`. If no room is left, sets `tally.cut` and returns false. */
function hasRoom({ tally }: Reader): boolean {
  tally.room -= ELEMENT_ROOM;
  tally.spend(ELEMENT_BYTES);
  if (tally.room >= 0) return true;
  tally.room = 0;
  tally.cut = true;
  return false;
}

function cutOff(reader: Reader, limit: number): null {
  reader.pos = reader.end(limit);
  reader.tally.cut = true;
  return null;
}
