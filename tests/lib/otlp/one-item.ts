import { expect } from 'vitest';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { encode, REQUESTS } from './generated-messages.ts';
import { toOtlpJson } from './json-form.ts';

const STYLE = { upperCaseIds: false, numbersWhereExact: false, unknownFields: false, nulls: false };

export const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const toJson = (message: object): Uint8Array => toBytes(toOtlpJson(message, STYLE));

/** The default ids of a span, in a request and in rows. */
export const IDS = { traceId: new Uint8Array(16).fill(0xab), spanId: new Uint8Array(8).fill(0xcd) };
export const HEX = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) };

/** Decodes a span in both encodings, which must give the same row. */
export function readSpan(span: object) {
  const message = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...IDS, ...span }] }] }] };
  const batch = decodeTraces(encode(REQUESTS.traces, message), 'protobuf');
  expect(decodeTraces(toJson(message), 'json')).toEqual(batch);
  return { span: batch.spans[0], partial: batch.partial };
}

/** Decodes a log record in both encodings, which must give the same row. */
export function readLog(log: object) {
  const message = { resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] };
  const batch = decodeLogs(encode(REQUESTS.logs, message), 'protobuf');
  expect(decodeLogs(toJson(message), 'json')).toEqual(batch);
  return { log: batch.logs[0], partial: batch.partial };
}

/** Decodes a metric named `m` in both encodings, which must give the same rows. */
export function readMetric(metric: object) {
  const message = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', ...metric }] }] }] };
  const batch = decodeMetrics(encode(REQUESTS.metrics, message), 'protobuf');
  expect(decodeMetrics(toJson(message), 'json')).toEqual(batch);
  return batch;
}
