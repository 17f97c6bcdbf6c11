import type { Signal } from '../../../lib/otlp/index.ts';
import { field, fill, fixed64, request, text, varint } from './protobuf-wire.ts';

/** 16 MiB, minus the bytes around the hostile part. */
const SIZE = 16 * 1024 * 1024 - 64;

export interface HostileBody {
  signal: Signal;
  type: 'protobuf' | 'json';
  make(): Uint8Array;
}

const IDS = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1))]);
const spanWith = (key: string): Buffer => field(2, IDS, field(9, field(1, text(key))));
const tinyAttributes = (number: number): Buffer =>
  Buffer.concat(Array.from({ length: 128 }, (_, at) => field(number, field(1, text(at.toString(36))))));

const spans = (span: Uint8Array) => () => request(fill(field(2, span), SIZE));
const logs = (log: Uint8Array) => () => request(fill(field(2, log), SIZE));
const points = (type: number, point: Uint8Array) => () =>
  request(field(2, field(1, text('m')), field(type, fill(field(1, point), SIZE))));
const json =
  (head: string, item: string, tail: string, size = SIZE) =>
  () =>
    new Uint8Array(
      Buffer.concat([text(head), fill(text(item), size - head.length - tail.length), text(tail)]),
    );
const JSON_IDS = `"traceId":"${'1'.repeat(32)}","spanId":"${'1'.repeat(16)}"`;

/** A value nested as deeply as its size allows. Each level begins with its length, so it is written from its end. */
function nested(size: number): Buffer {
  const whole = Buffer.alloc(size + 16);
  let start = whole.length;
  for (let level = 0; whole.length - start < size; level += 1) {
    const length = varint(whole.length - start);
    start -= length.length;
    whole.set(length, start);
    start -= 1;
    whole[start] = level % 2 === 0 ? 10 : 42;
  }
  return whole.subarray(start);
}

const traces = { signal: 'traces', type: 'protobuf' } as const;
const log = { signal: 'logs', type: 'protobuf' } as const;
const metric = { signal: 'metrics', type: 'protobuf' } as const;
const asJson = { signal: 'traces', type: 'json' } as const;

/** Bodies of about 16 MiB that need as much memory as possible when decoded. */
export const HOSTILE_BODIES: Record<string, HostileBody> = {
  'spans of nothing': { ...traces, make: spans(Buffer.alloc(0)) },
  'spans of ids alone': { ...traces, make: spans(IDS) },
  'spans with empty events': { ...traces, make: spans(Buffer.concat([IDS, fill(field(11), 256)])) },
  'spans with more events than are kept': {
    ...traces,
    make: spans(Buffer.concat([IDS, fill(field(11), 4e6)])),
  },
  'spans with links': { ...traces, make: spans(Buffer.concat([IDS, fill(field(13, IDS), 3600)])) },
  'spans with tiny attributes': { ...traces, make: spans(Buffer.concat([IDS, tinyAttributes(9)])) },
  'spans with one attribute': { ...traces, make: spans(Buffer.concat([IDS, field(9, field(1, text('k')))])) },
  'events with tiny attributes': {
    ...traces,
    make: spans(Buffer.concat([IDS, field(11, tinyAttributes(3))])),
  },
  'spans with lists of nothing': {
    ...traces,
    make: spans(Buffer.concat([IDS, field(9, field(2, field(5, fill(field(1), 1024))))])),
  },
  'spans with lists of lists': {
    ...traces,
    make: spans(Buffer.concat([IDS, field(9, field(2, field(5, fill(field(1, field(5)), 2048))))])),
  },
  'spans with wide names': { ...traces, make: spans(Buffer.concat([IDS, field(5, text('日'.repeat(300)))])) },
  'an attribute nested without end': {
    ...traces,
    make: () => request(field(2, IDS, field(9, field(2, nested(SIZE))))),
  },
  'resources of nothing': { ...traces, make: () => new Uint8Array(fill(field(1), SIZE)) },
  'spans with keys of their own': {
    ...traces,
    make: () => request(Buffer.concat(Array.from({ length: 300_000 }, (_, at) => spanWith(`key${at}`)))),
  },
  'one text': { ...traces, make: () => request(field(2, IDS, field(5, Buffer.alloc(SIZE, 'a')))) },
  'unknown fields': { ...traces, make: () => new Uint8Array(fill(Buffer.from([0xf8, 0x01, 1]), SIZE)) },
  'log records of nothing': { ...log, make: logs(Buffer.alloc(0)) },
  'log records with wide bodies': { ...log, make: logs(field(5, field(1, text('日'.repeat(20_000))))) },
  'log records with short wide bodies': { ...log, make: logs(field(5, field(1, text('日本語ですね')))) },
  'log records with bytes': { ...log, make: logs(field(5, field(7, Buffer.alloc(60_000, 7)))) },
  'points of nothing': { ...metric, make: points(5, Buffer.alloc(0)) },
  'points with a number': { ...metric, make: points(5, fixed64(6, 2n ** 62n)) },
  'points with exemplars': {
    ...metric,
    make: points(7, Buffer.concat([fixed64(6, 1n), fill(field(5), 200)])),
  },
  'histograms of nothing': { ...metric, make: points(9, Buffer.alloc(0)) },
  'histograms of one point with all buckets': {
    ...metric,
    make: points(10, field(8, field(2, Buffer.alloc(1e7, 1)))),
  },
  'exponential histograms with many buckets': {
    ...metric,
    make: points(10, field(8, field(2, Buffer.alloc(4000, 1)))),
  },
  'summaries with empty quantiles': { ...metric, make: points(11, fill(field(6), 1e6)) },
  'metrics of one point': {
    ...metric,
    make: () => request(fill(field(2, field(1, text('m')), field(5, field(1, fixed64(6, 1n)))), SIZE)),
  },
  'lists without end': { ...asJson, make: json('', '[', '') },
  'objects without end': { ...asJson, make: json('', '{"a":', '') },
  '1 MiB of lists without end': { ...asJson, make: json('', '[', '', 2 ** 20) },
  '1 MiB of lists that end': {
    ...asJson,
    make: () => new Uint8Array(text(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`)),
  },
  '1 MiB of small objects': { ...asJson, make: json('{"a":[', '{},', '0]}', 2 ** 20) },
  '1 MiB of log records of nothing': {
    signal: 'logs',
    type: 'json',
    make: json('{"resourceLogs":[{"scopeLogs":[{"logRecords":[', '{},', '{}]}]}]}', 2 ** 20),
  },
  'small objects': { ...asJson, make: json('{"a":[', '{},', '0]}') },
  'small lists': { ...asJson, make: json('{"a":[', '[],', '0]}') },
  'small numbers': { ...asJson, make: json('{"a":[', '0,', '0]}') },
  'long numbers': { ...asJson, make: json('{"a":[', '1234567890123456,', '0]}') },
  'one number without end': { ...asJson, make: json('{"a":[', '1', ']}') },
  '1 MiB of long numbers': { ...asJson, make: json('{"a":[', '1234567890e1,', '0]}', 2 ** 20) },
  'signs without end': { ...asJson, make: json('{"a":[1234567890123456,', '-', ']}') },
  fractions: { ...asJson, make: json('{"a":[', '.5,'.replace('.', '0.'), '0]}') },
  'small texts': { ...asJson, make: json('{"a":[', '"abc",', '0]}') },
  'wide texts': { ...asJson, make: json('{"a":[', '"日本",', '0]}') },
  'one wide text': { ...asJson, make: json('{"a":"', '日', '"}') },
  escapes: { ...asJson, make: json('{"a":"', '\\u65e5', '"}') },
  'small members': {
    ...asJson,
    make: () => {
      const members = Array.from({ length: 1_000_000 }, (_, at) => `"m${at}":0`);
      return new Uint8Array(text(`{${members.join(',')}}`));
    },
  },
  'small objects with names of their own': {
    ...asJson,
    make: () =>
      new Uint8Array(text(`{"a":[${Array.from({ length: 900_000 }, (_, at) => `{"m${at}":0}`).join(',')}]}`)),
  },
  'JSON attributes with keys of their own': {
    ...asJson,
    make: () => {
      const attributes = Array.from({ length: 600_000 }, (_, at) => `{"key":"key${at}"}`).join(',');
      return new Uint8Array(text(`{"resourceSpans":[{"resource":{"attributes":[${attributes}]}}]}`));
    },
  },
  'JSON spans with keys of their own': {
    ...asJson,
    make: () => {
      const spans = Array.from(
        { length: 110_000 },
        (_, at) => `{${JSON_IDS},"attributes":[{"key":"key${at}"}]}`,
      ).join(',');
      return new Uint8Array(text(`{"resourceSpans":[{"scopeSpans":[{"spans":[${spans}]}]}]}`));
    },
  },
  'JSON spans of ids alone': {
    ...asJson,
    make: json('{"resourceSpans":[{"scopeSpans":[{"spans":[', `{${JSON_IDS}},`, '{}]}]}]}'),
  },
  'JSON spans with empty events': {
    ...asJson,
    make: json(
      '{"resourceSpans":[{"scopeSpans":[{"spans":[',
      `{${JSON_IDS},"events":[${'{},'.repeat(63)}{}]},`,
      '{}]}]}]}',
    ),
  },
  'JSON log records of nothing': {
    signal: 'logs',
    type: 'json',
    make: json('{"resourceLogs":[{"scopeLogs":[{"logRecords":[', '{},', '{}]}]}]}'),
  },
};
