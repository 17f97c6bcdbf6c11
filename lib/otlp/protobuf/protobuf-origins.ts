import { within } from '../decode-errors.ts';
import { newResource, newScope, Origins, Source } from '../origin-rows.ts';
import type { RequestNames, ResourceRow, ScopeRow } from '../rows.ts';
import type { Reader } from './protobuf-reader.ts';
import { readAttribute, withDropped } from './protobuf-values.ts';

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
  names: RequestNames,
  readItem: (reader: Reader, limit: number, source: Source) => void,
): Origins {
  const origins = new Origins(reader.tally);
  readEach(reader, end, ORIGIN, names.resources, () => {
    const resourceEnd = reader.end(end);
    const from = reader.pos;
    const source = new Source(origins, readResourceRow(reader, resourceEnd));
    reader.pos = from;
    readEach(reader, resourceEnd, CONTENT, names.scopes, () => {
      const scopeEnd = reader.end(resourceEnd);
      const content = reader.pos;
      source.enter(readScopeRow(reader, scopeEnd));
      reader.pos = content;
      readEach(reader, scopeEnd, CONTENT, names.items, () => readItem(reader, scopeEnd, source));
    });
  });
  reader.close(end);
  return origins;
}

/** Reads each field with this tag and skips the others. An error within one says which: `spans[7]`. */
function readEach(reader: Reader, end: number, wanted: number, name: string, read: () => void): void {
  let at = 0;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag !== wanted) {
      reader.skip(tag, end);
      continue;
    }
    try {
      read();
    } catch (error) {
      throw within(`${name}[${at}]`, error);
    }
    at += 1;
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
  row.droppedAttributes = withDropped(row.droppedAttributes, attributes);
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
  row.droppedAttributes = withDropped(row.droppedAttributes, attributes);
}
