import { newResource, newScope, Origins, Source } from '../origin-rows.ts';
import type { ResourceRow, ScopeRow } from '../rows.ts';
import type { Reader } from './protobuf-reader.ts';
import { readAttribute } from './protobuf-values.ts';

/** The field numbers of `ResourceSpans`, `ScopeSpans` and their counterparts, which are the same for all signals. */
const ORIGIN = 10;
const CONTENT = 18;
const SCHEMA_URL = 26;

/**
 * Walks an export request of any signal down to its spans, log records or metrics. `readItem` reads one item, beginning with its
 * length. A resource may follow its items, so each level is scanned twice, but item contents are read once.
 */
export function readOrigins(
  reader: Reader,
  end: number,
  readItem: (reader: Reader, limit: number, source: Source) => void,
): Origins {
  const origins = new Origins(reader.tally);
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === ORIGIN) readResourceContents(reader, reader.end(end), origins, readItem);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return origins;
}

function readResourceContents(
  reader: Reader,
  end: number,
  origins: Origins,
  readItem: (reader: Reader, limit: number, source: Source) => void,
): void {
  const from = reader.pos;
  const source = new Source(origins, readResourceRow(reader, end));
  reader.pos = from;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === CONTENT) readScopeContents(reader, reader.end(end), source, readItem);
    else reader.skip(tag, end);
  }
}

function readScopeContents(
  reader: Reader,
  end: number,
  source: Source,
  readItem: (reader: Reader, limit: number, source: Source) => void,
): void {
  const from = reader.pos;
  source.enter(readScopeRow(reader, end));
  reader.pos = from;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === CONTENT) readItem(reader, end, source);
    else reader.skip(tag, end);
  }
}

function readResourceRow(reader: Reader, end: number): ResourceRow {
  const row = newResource();
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === ORIGIN) readResource(reader, end, row);
    else if (tag === SCHEMA_URL) row.schemaUrl = reader.name(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return row;
}

function readResource(reader: Reader, limit: number, row: ResourceRow): void {
  const end = reader.end(limit);
  let attributes = 0;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) attributes = readAttribute(reader, end, row.attributes, attributes);
    else if (tag === 16) row.droppedAttributes = reader.uint32();
    else reader.skip(tag, end);
  }
  reader.close(end);
}

function readScopeRow(reader: Reader, end: number): ScopeRow {
  const row = newScope();
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === ORIGIN) readScope(reader, end, row);
    else if (tag === SCHEMA_URL) row.schemaUrl = reader.name(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return row;
}

function readScope(reader: Reader, limit: number, row: ScopeRow): void {
  const end = reader.end(limit);
  let attributes = 0;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) row.name = reader.name(end);
    else if (tag === 18) row.version = reader.name(end);
    else if (tag === 26) attributes = readAttribute(reader, end, row.attributes, attributes);
    else if (tag === 32) row.droppedAttributes = reader.uint32();
    else reader.skip(tag, end);
  }
  reader.close(end);
}
