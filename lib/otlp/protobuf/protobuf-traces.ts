import { INVALID_ID, knownId } from '../known-id.ts';
import { duration, enumeration } from '../numbers.ts';
import type { Source } from '../origin-rows.ts';
import { MAX_ATTRIBUTE_BYTES, MAX_EVENTS, MAX_LINKS } from '../otlp-limits.ts';
import { Tally } from '../request-tally.ts';
import { EVENT_BYTES, LINK_BYTES, SPAN_BYTES } from '../row-bytes.ts';
import {
  type Attributes,
  REQUEST_NAMES,
  type SpanEvent,
  type SpanLink,
  type SpanRow,
  type TraceBatch,
} from '../rows.ts';
import { readOrigins } from './protobuf-origins.ts';
import { Reader } from './protobuf-reader.ts';
import { readAttribute, withDropped } from './protobuf-values.ts';

/** Decodes an `ExportTraceServiceRequest`. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`. */
export function readTraces(bytes: Uint8Array): TraceBatch {
  const reader = new Reader(bytes, new Tally());
  const spans: SpanRow[] = [];
  const { resources, scopes } = readOrigins(
    reader,
    bytes.length,
    REQUEST_NAMES.traces,
    (from, limit, source) => {
      const span = readSpan(from, limit, source);
      if (span !== undefined) spans.push(span);
    },
  );
  return { resources, scopes, spans, partial: reader.tally.partial() };
}

function readSpan(reader: Reader, limit: number, source: Source): SpanRow | undefined {
  const { tally } = reader;
  const end = reader.end(limit);
  tally.spend(SPAN_BYTES);
  const cutBefore = tally.cutValues;
  let traceId = '';
  let spanId = '';
  let parentSpanId = '';
  let traceState = '';
  let flags = 0;
  let name = '';
  let kind = 0;
  let start: string | undefined = '0';
  let finish: string | undefined = '0';
  let taken = 0;
  let eventsSent = 0;
  let linksSent = 0;
  let droppedAttributes = 0;
  let droppedEvents = 0;
  let droppedLinks = 0;
  const attributes: Attributes = {};
  const events: SpanEvent[] = [];
  const links: SpanLink[] = [];
  const status = { code: 0, message: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10:
        traceId = reader.id(end, 16);
        break;
      case 18:
        spanId = reader.id(end, 8);
        break;
      case 26:
        traceState = reader.name(end);
        break;
      case 34:
        parentSpanId = reader.id(end, 8);
        break;
      case 42:
        name = reader.name(end);
        break;
      case 48:
        kind = enumeration(reader.int32(), 5);
        break;
      case 57:
        start = reader.time();
        break;
      case 65:
        finish = reader.time();
        break;
      case 74:
        taken = readAttribute(reader, end, attributes, taken);
        break;
      case 80:
        droppedAttributes = reader.uint32();
        break;
      case 90:
        eventsSent += 1;
        readEvent(reader, end, events);
        break;
      case 96:
        droppedEvents = reader.uint32();
        break;
      case 106:
        linksSent += 1;
        readLink(reader, end, links);
        break;
      case 112:
        droppedLinks = reader.uint32();
        break;
      case 122:
        readStatus(reader, end, status);
        break;
      case 133:
        flags = reader.fixed32();
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  if (knownId(traceId) === null) return tally.reject('traceId');
  if (knownId(spanId) === null) return tally.reject('spanId');
  if (parentSpanId === INVALID_ID) return tally.reject('parentSpanId');
  if (start === undefined || finish === undefined) return tally.reject('time');
  tally.checkEnd(start, finish);
  return {
    resource: source.resource,
    scope: source.scope,
    traceId,
    spanId,
    parentSpanId: knownId(parentSpanId),
    traceState,
    flags,
    name,
    kind,
    startNano: start,
    durationNano: duration(start, finish),
    statusCode: status.code,
    statusMessage: status.message,
    attributes,
    events,
    links,
    droppedAttributes: withDropped(droppedAttributes, taken),
    droppedEvents: droppedEvents + eventsSent - events.length,
    droppedLinks: droppedLinks + linksSent - links.length,
    cutAttributes: tally.cutValues - cutBefore,
  };
}

function readStatus(reader: Reader, limit: number, status: { code: number; message: string }): void {
  const end = reader.end(limit);
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 18) status.message = reader.name(end, MAX_ATTRIBUTE_BYTES);
    else if (tag === 24) status.code = enumeration(reader.int32(), 2);
    else reader.skip(tag, end);
  }
  reader.close(end);
}

function readEvent(reader: Reader, limit: number, events: SpanEvent[]): void {
  const { tally } = reader;
  const end = reader.end(limit);
  if (events.length === MAX_EVENTS) {
    reader.pos = end;
    tally.lose('events');
    return;
  }
  tally.spend(EVENT_BYTES);
  let taken = 0;
  const event: SpanEvent = { name: '', timeNano: '0', attributes: {}, droppedAttributes: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 9) event.timeNano = tally.keepTime(reader.time());
    else if (tag === 18) event.name = reader.name(end);
    else if (tag === 26) taken = readAttribute(reader, end, event.attributes, taken);
    else if (tag === 32) event.droppedAttributes = reader.uint32();
    else reader.skip(tag, end);
  }
  reader.close(end);
  event.droppedAttributes = withDropped(event.droppedAttributes, taken);
  events.push(event);
}

function readLink(reader: Reader, limit: number, links: SpanLink[]): void {
  const { tally } = reader;
  const end = reader.end(limit);
  if (links.length === MAX_LINKS) {
    reader.pos = end;
    tally.lose('links');
    return;
  }
  tally.spend(LINK_BYTES);
  let taken = 0;
  const link: SpanLink = {
    traceId: '',
    spanId: '',
    traceState: '',
    flags: 0,
    attributes: {},
    droppedAttributes: 0,
  };
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) link.traceId = reader.id(end, 16);
    else if (tag === 18) link.spanId = reader.id(end, 8);
    else if (tag === 26) link.traceState = reader.name(end);
    else if (tag === 34) taken = readAttribute(reader, end, link.attributes, taken);
    else if (tag === 40) link.droppedAttributes = reader.uint32();
    else if (tag === 53) link.flags = reader.fixed32();
    else reader.skip(tag, end);
  }
  reader.close(end);
  link.droppedAttributes = withDropped(link.droppedAttributes, taken);
  if (knownId(link.traceId) === null || knownId(link.spanId) === null) tally.lose('links');
  else links.push(link);
}
