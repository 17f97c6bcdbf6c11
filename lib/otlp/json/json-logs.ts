import { enumeration } from '../numbers.ts';
import type { Source } from '../origin-rows.ts';
import { MAX_LOG_BODY_BYTES, MAX_TREE_BYTES } from '../otlp-limits.ts';
import { Tally } from '../request-tally.ts';
import { LOG_BYTES } from '../row-bytes.ts';
import { type LogBatch, type LogRow, REQUEST_NAMES } from '../rows.ts';
import { type Fields, integerOf, timeOf, unsignedOf } from './json-fields.ts';
import { idOf } from './json-ids.ts';
import { readOrigins } from './json-origins.ts';
import { anyValueOf, attributesOf, droppedAttributesOf, nameOf } from './json-values.ts';
import { parseRequest } from './parse-request.ts';

/** Decodes an `ExportLogsServiceRequest` in OTLP's JSON. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`. */
export function readLogs(bytes: Uint8Array): LogBatch {
  const tally = new Tally(MAX_TREE_BYTES);
  const logs: LogRow[] = [];
  const { resources, scopes } = readOrigins(
    parseRequest(bytes, tally),
    REQUEST_NAMES.logs,
    tally,
    (item, source) => {
      const log = readLog(item, source, tally);
      if (log !== undefined) logs.push(log);
    },
  );
  return { resources, scopes, logs, partial: tally.partial() };
}

function readLog(log: Fields, source: Source, tally: Tally): LogRow | undefined {
  tally.spend(LOG_BYTES);
  const cutBefore = tally.cutValues;
  const time = timeOf(log, 'timeUnixNano');
  const observed = timeOf(log, 'observedTimeUnixNano');
  const content = {
    severityNumber: enumeration(integerOf(log, 'severityNumber'), 24),
    severityText: nameOf(log, 'severityText', tally),
    eventName: nameOf(log, 'eventName', tally),
    ...readBody(log, tally),
    attributes: attributesOf(log, tally),
    droppedAttributes: droppedAttributesOf(log),
    flags: unsignedOf(log, 'flags'),
  };
  const [traceId, spanId] = [idOf(log, 'traceId', 16), idOf(log, 'spanId', 8)];
  if (time === undefined || observed === undefined) return tally.reject('time');
  return {
    resource: source.resource,
    scope: source.scope,
    timeNano: time === '0' ? observed : time,
    observedNano: observed,
    ...content,
    cutAttributes: tally.cutValues - cutBefore,
    traceId: tally.keepId(traceId),
    spanId: tally.keepId(spanId),
  };
}

function readBody(log: Fields, tally: Tally): Pick<LogRow, 'body' | 'bodyCut'> {
  tally.room = MAX_LOG_BODY_BYTES;
  tally.cut = false;
  const body = anyValueOf(log, 'body', tally, 0);
  if (tally.cut) tally.lose('bodies');
  return { body, bodyCut: tally.cut };
}
