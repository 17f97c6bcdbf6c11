import { knownId } from '../known-id.ts';
import { enumeration } from '../numbers.ts';
import type { Source } from '../origin-rows.ts';
import { MAX_LOG_BODY_BYTES, MAX_TREE_BYTES } from '../otlp-limits.ts';
import { Tally } from '../request-tally.ts';
import { LOG_BYTES } from '../row-bytes.ts';
import type { Json, LogBatch, LogRow } from '../rows.ts';
import { type Fields, integerOf, timeOf, unsignedOf } from './json-fields.ts';
import { idOf } from './json-ids.ts';
import { readOrigins } from './json-origins.ts';
import { anyValueOf, attributesOf, nameOf } from './json-values.ts';
import { parseRequest } from './parse-request.ts';

const NAMES = { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' };

/** Decodes an `ExportLogsServiceRequest` in OTLP's JSON. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`. */
export function readLogs(bytes: Uint8Array): LogBatch {
  const tally = new Tally(MAX_TREE_BYTES);
  const logs: LogRow[] = [];
  const { resources, scopes } = readOrigins(parseRequest(bytes, tally), NAMES, tally, (item, source) => {
    const log = readLog(item, source, tally);
    if (log !== undefined) logs.push(log);
  });
  return { resources, scopes, logs, partial: tally.partial() };
}

function readLog(log: Fields, source: Source, tally: Tally): LogRow | undefined {
  tally.spend(LOG_BYTES);
  const time = timeOf(log, 'timeUnixNano');
  const observed = timeOf(log, 'observedTimeUnixNano');
  const content = {
    severityNumber: enumeration(integerOf(log, 'severityNumber'), 24),
    severityText: nameOf(log, 'severityText', tally),
    eventName: nameOf(log, 'eventName', tally),
    body: readBody(log, tally),
    attributes: attributesOf(log, tally),
    droppedAttributes: unsignedOf(log, 'droppedAttributesCount'),
    traceId: knownId(idOf(log, 'traceId', 16)),
    spanId: knownId(idOf(log, 'spanId', 8)),
    flags: unsignedOf(log, 'flags'),
  };
  if (time === undefined || observed === undefined) return tally.reject('time');
  return {
    resource: source.resource,
    scope: source.scope,
    timeNano: time === '0' ? observed : time,
    observedNano: observed,
    ...content,
  };
}

function readBody(log: Fields, tally: Tally): Json {
  tally.room = MAX_LOG_BODY_BYTES;
  tally.cut = false;
  const body = anyValueOf(log, 'body', tally, 0);
  if (tally.cut) tally.lose('bodies');
  return body;
}
