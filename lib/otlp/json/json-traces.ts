import { INVALID_ID, knownId } from '../known-id.ts';
import { duration, enumeration } from '../numbers.ts';
import type { Source } from '../origin-rows.ts';
import { MAX_ATTRIBUTE_BYTES, MAX_EVENTS, MAX_LINKS, MAX_TREE_BYTES } from '../otlp-limits.ts';
import { Tally } from '../request-tally.ts';
import { EVENT_BYTES, LINK_BYTES, SPAN_BYTES } from '../row-bytes.ts';
import { REQUEST_NAMES, type SpanEvent, type SpanLink, type SpanRow, type TraceBatch } from '../rows.ts';
import { eachOf, type Fields, integerOf, listOf, memberOf, timeOf, unsignedOf } from './json-fields.ts';
import { idOf } from './json-ids.ts';
import { readOrigins } from './json-origins.ts';
import { attributesOf, droppedAttributesOf, nameOf } from './json-values.ts';
import { parseRequest } from './parse-request.ts';

/** Decodes an `ExportTraceServiceRequest` in OTLP's JSON. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`. */
export function readTraces(bytes: Uint8Array): TraceBatch {
  const tally = new Tally(MAX_TREE_BYTES);
  const spans: SpanRow[] = [];
  const { resources, scopes } = readOrigins(
    parseRequest(bytes, tally),
    REQUEST_NAMES.traces,
    tally,
    (item, source) => {
      const span = readSpan(item, source, tally);
      if (span !== undefined) spans.push(span);
    },
  );
  return { resources, scopes, spans, partial: tally.partial() };
}

function readSpan(span: Fields, source: Source, tally: Tally): SpanRow | undefined {
  tally.spend(SPAN_BYTES);
  const cutBefore = tally.cutValues;
  const traceId = idOf(span, 'traceId', 16);
  const spanId = idOf(span, 'spanId', 8);
  const parentSpanId = idOf(span, 'parentSpanId', 8);
  const startNano = timeOf(span, 'startTimeUnixNano');
  const endNano = timeOf(span, 'endTimeUnixNano');
  const events = readEvents(span, tally);
  const links = readLinks(span, tally);
  const content = {
    traceState: nameOf(span, 'traceState', tally),
    flags: unsignedOf(span, 'flags'),
    name: nameOf(span, 'name', tally),
    kind: enumeration(integerOf(span, 'kind'), 5),
    ...memberOf(span, 'status', (status) => ({
      statusCode: enumeration(integerOf(status, 'code'), 2),
      statusMessage: nameOf(status, 'message', tally, MAX_ATTRIBUTE_BYTES),
    })),
    attributes: attributesOf(span, tally),
    events,
    links,
    droppedAttributes: droppedAttributesOf(span),
    droppedEvents: unsignedOf(span, 'droppedEventsCount') + listOf(span, 'events').length - events.length,
    droppedLinks: unsignedOf(span, 'droppedLinksCount') + listOf(span, 'links').length - links.length,
    cutAttributes: tally.cutValues - cutBefore,
  };
  if (knownId(traceId) === null) return tally.reject('traceId');
  if (knownId(spanId) === null) return tally.reject('spanId');
  if (parentSpanId === INVALID_ID) return tally.reject('parentSpanId');
  if (startNano === undefined || endNano === undefined) return tally.reject('time');
  tally.checkEnd(startNano, endNano);
  return {
    resource: source.resource,
    scope: source.scope,
    traceId,
    spanId,
    parentSpanId: knownId(parentSpanId),
    startNano,
    durationNano: duration(startNano, endNano),
    ...content,
  };
}

function readEvents(span: Fields, tally: Tally): SpanEvent[] {
  const events: SpanEvent[] = [];
  eachOf(span, 'events', (event) => {
    if (events.length === MAX_EVENTS) return tally.lose('events');
    tally.spend(EVENT_BYTES);
    events.push({
      name: nameOf(event, 'name', tally),
      timeNano: tally.keepTime(timeOf(event, 'timeUnixNano')),
      attributes: attributesOf(event, tally),
      droppedAttributes: droppedAttributesOf(event),
    });
  });
  return events;
}

function readLinks(span: Fields, tally: Tally): SpanLink[] {
  const links: SpanLink[] = [];
  eachOf(span, 'links', (fields) => {
    if (links.length === MAX_LINKS) return tally.lose('links');
    tally.spend(LINK_BYTES);
    const link = {
      traceId: idOf(fields, 'traceId', 16),
      spanId: idOf(fields, 'spanId', 8),
      traceState: nameOf(fields, 'traceState', tally),
      flags: unsignedOf(fields, 'flags'),
      attributes: attributesOf(fields, tally),
      droppedAttributes: droppedAttributesOf(fields),
    };
    if (knownId(link.traceId) === null || knownId(link.spanId) === null) tally.lose('links');
    else links.push(link);
  });
  return links;
}
