import { enumeration } from '../numbers.ts';
import type { Source } from '../origin-rows.ts';
import { MAX_LOG_BODY_BYTES } from '../otlp-limits.ts';
import { Tally } from '../request-tally.ts';
import { LOG_BYTES } from '../row-bytes.ts';
import { type Attributes, type Json, type LogBatch, type LogRow, REQUEST_NAMES } from '../rows.ts';
import { readOrigins } from './protobuf-origins.ts';
import { Reader } from './protobuf-reader.ts';
import { readAttribute, readValue, withDropped } from './protobuf-values.ts';

/** Decodes an `ExportLogsServiceRequest`. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`. */
export function readLogs(bytes: Uint8Array): LogBatch {
  const reader = new Reader(bytes, new Tally());
  const logs: LogRow[] = [];
  const { resources, scopes } = readOrigins(
    reader,
    bytes.length,
    REQUEST_NAMES.logs,
    (from, limit, source) => {
      const log = readLog(from, limit, source);
      if (log !== undefined) logs.push(log);
    },
  );
  return { resources, scopes, logs, partial: reader.tally.partial() };
}

function readLog(reader: Reader, limit: number, source: Source): LogRow | undefined {
  const { tally } = reader;
  const end = reader.end(limit);
  tally.spend(LOG_BYTES);
  const cutBefore = tally.cutValues;
  let time: string | undefined = '0';
  let observed: string | undefined = '0';
  let severityNumber = 0;
  let severityText = '';
  let eventName = '';
  let body: Json = null;
  let bodyCut = false;
  let taken = 0;
  let droppedAttributes = 0;
  let flags = 0;
  let traceId = '';
  let spanId = '';
  const attributes: Attributes = {};
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 9:
        time = reader.time();
        break;
      case 16:
        severityNumber = enumeration(reader.int32(), 24);
        break;
      case 26:
        severityText = reader.name(end);
        break;
      case 42:
        body = readBody(reader, end);
        bodyCut = tally.cut;
        break;
      case 50:
        taken = readAttribute(reader, end, attributes, taken);
        break;
      case 56:
        droppedAttributes = reader.uint32();
        break;
      case 69:
        flags = reader.fixed32();
        break;
      case 74:
        traceId = reader.id(end, 16);
        break;
      case 82:
        spanId = reader.id(end, 8);
        break;
      case 89:
        observed = reader.time();
        break;
      case 98:
        eventName = reader.name(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  if (time === undefined || observed === undefined) return tally.reject('time');
  return {
    resource: source.resource,
    scope: source.scope,
    timeNano: time === '0' ? observed : time,
    observedNano: observed,
    severityNumber,
    severityText,
    eventName,
    body,
    bodyCut,
    attributes,
    droppedAttributes: withDropped(droppedAttributes, taken),
    cutAttributes: tally.cutValues - cutBefore,
    traceId: tally.keepId(traceId),
    spanId: tally.keepId(spanId),
    flags,
  };
}

function readBody(reader: Reader, limit: number): Json {
  const { tally } = reader;
  tally.room = MAX_LOG_BODY_BYTES;
  tally.cut = false;
  const body = readValue(reader, limit, 0);
  if (tally.cut) tally.lose('bodies');
  return body;
}
