/** The estimate of a request's memory: what each part of it counts. */
import { describe, expect, test, vi } from 'vitest';
import {
  decodeLogs,
  decodeMetrics,
  decodeTraces,
  type OtlpType,
  type Signal,
} from '../../../lib/otlp/index.ts';
import { measureJson } from '../../../lib/otlp/json/measure-json.ts';
import { Tally } from '../../../lib/otlp/request-tally.ts';
import {
  ATTRIBUTE_BYTES,
  ELEMENT_BYTES,
  EVENT_BYTES,
  EXEMPLAR_BYTES,
  HASHED_ATTRIBUTE_BYTES,
  KEY_BYTES,
  LINK_BYTES,
  LIST_BYTES,
  LOG_BYTES,
  METRIC_BYTES,
  POINT_BYTES,
  QUANTILE_BYTES,
  SPAN_BYTES,
} from '../../../lib/otlp/row-bytes.ts';
import { encode, REQUESTS } from './generated-messages.ts';
import { IDS, toBytes, toJson } from './one-item.ts';

const DECODE = { traces: decodeTraces, logs: decodeLogs, metrics: decodeMetrics };
/** What a JSON text of up to 1 MiB counts for each byte. */
const JSON_BYTES = 20;

/** What a request counts, besides its JSON text. */
function spent(signal: Signal, type: OtlpType, message: object): number {
  const body = type === 'json' ? toJson(message) : encode(REQUESTS[signal], message);
  const spend = vi.spyOn(Tally.prototype, 'spend');
  try {
    DECODE[signal](body, type);
    const sum = spend.mock.calls.reduce((total, [bytes]) => total + bytes, 0);
    return type === 'json' ? sum - JSON_BYTES * body.length : sum;
  } finally {
    spend.mockRestore();
  }
}

const spans = (...items: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: items }] }] });
const span = (fields: object = {}) => ({ ...IDS, ...fields });
const valued = (value: object) => spans(span({ attributes: [{ key: 'k', value }] }));
const logs = (...items: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: items }] }] });
const points = (type: string, ...items: object[]) => ({
  resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', [type]: { dataPoints: items } }] }] }],
});
const metrics = (count: number) => ({
  resourceMetrics: [
    {
      scopeMetrics: [
        {
          metrics: Array.from({ length: count }, () => ({
            name: 'm',
            gauge: { dataPoints: [{ asInt: '1' }] },
          })),
        },
      ],
    },
  ],
});
const keyed = (count: number) =>
  spans(span({ attributes: Array.from({ length: count }, () => ({ key: 'k', value: { intValue: '1' } })) }));
const empty = { arrayValue: { values: [] } };
const histogram = (count: number) =>
  points('histogram', {
    bucketCounts: Array(count + 1).fill('1'),
    explicitBounds: [1, 2, 3].slice(0, count),
  });

describe.each(['protobuf', 'json'] as const)('in %s', (type) => {
  /** In JSON the texts of the rows are those of the tree. */
  const text = (length: number) => (type === 'json' ? 0 : 24 + length);
  const newKey = (length: number) => KEY_BYTES + text(length);

  test.each<[what: string, signal: Signal, without: object, with_: object, bytes: number]>([
    ['a span', 'traces', spans(span()), spans(span(), span()), SPAN_BYTES],
    ['an event', 'traces', spans(span({ events: [{}] })), spans(span({ events: [{}, {}] })), EVENT_BYTES],
    ['a link', 'traces', spans(span({ links: [IDS] })), spans(span({ links: [IDS, IDS] })), LINK_BYTES],
    ['an attribute', 'traces', keyed(1), keyed(2), ATTRIBUTE_BYTES],
    ['the 14th attribute', 'traces', keyed(13), keyed(14), ATTRIBUTE_BYTES],
    ['the 15th attribute', 'traces', keyed(14), keyed(15), HASHED_ATTRIBUTE_BYTES],
    ['a key', 'traces', spans(span()), keyed(1), ATTRIBUTE_BYTES + newKey(1)],
    ['a list', 'traces', valued({}), valued(empty), LIST_BYTES],
    [
      'elements of a list',
      'traces',
      valued(empty),
      valued({ arrayValue: { values: [{ boolValue: true }, { boolValue: true }] } }),
      2 * ELEMENT_BYTES,
    ],
    ['a map', 'traces', valued({}), valued({ kvlistValue: { values: [] } }), LIST_BYTES],
    [
      'an entry of a map with a key of its own',
      'traces',
      valued({ kvlistValue: { values: [] } }),
      valued({ kvlistValue: { values: [{ key: 'ab', value: { boolValue: true } }] } }),
      ELEMENT_BYTES + newKey(2),
    ],
    ['a log record', 'logs', logs({}), logs({}, {}), LOG_BYTES],
    ['a metric', 'metrics', metrics(1), metrics(2), METRIC_BYTES + POINT_BYTES],
    [
      'a point',
      'metrics',
      points('sum', { asInt: '1' }),
      points('sum', { asInt: '1' }, { asInt: '1' }),
      POINT_BYTES,
    ],
    ['buckets', 'metrics', histogram(1), histogram(3), (type === 'json' ? 2 : 4) * ELEMENT_BYTES],
    [
      'a quantile',
      'metrics',
      points('summary', { quantileValues: [{}] }),
      points('summary', { quantileValues: [{}, {}] }),
      QUANTILE_BYTES,
    ],
    [
      'an exemplar',
      'metrics',
      points('sum', { asInt: '1', exemplars: [{}] }),
      points('sum', { asInt: '1', exemplars: [{}, {}] }),
      EXEMPLAR_BYTES,
    ],
  ])('%s', (_, signal, without, with_, bytes) => {
    expect(spent(signal, type, with_) - spent(signal, type, without)).toBe(bytes);
  });
});

test('a request has as much as its limit, and not a byte more', () => {
  const tally = new Tally(10);
  tally.spend(9);
  tally.spend(1);
  expect(() => tally.spend(1)).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }));
});

describe('a JSON text and its tree', () => {
  const measure = (json: string) => measureJson(toBytes(json));
  const [OBJECT, LIST, TEXT, SLOT] = [32, 48, 24, 12];

  test.each([
    ['{}', OBJECT],
    ['[]', LIST],
    ['[[],{}]', 2 * LIST + OBJECT + SLOT],
    ['[1,2,3]', LIST + 2 * SLOT],
    ['["abc"]', LIST + TEXT + 3],
    ['["a","bc"]', LIST + 2 * TEXT + 3 + SLOT],
    ['[""]', LIST + TEXT],
    // A name is shared by all objects.
    ['{"abc":0}', OBJECT],
    ['{"abc":"de"}', OBJECT + TEXT + 2],
    // An escape counts as it is written, and what stands in a text is no list.
    ['["a\\"b"]', LIST + TEXT + 4],
    ['["\\\\"]', LIST + TEXT + 2],
    ['["[{,:"]', LIST + TEXT + 4],
    // A character beyond ASCII takes two bytes for each unit.
    ['["é"]', LIST + TEXT + 4],
    ['["abc', LIST + TEXT + 3],
  ])('%s', (json, treeBytes) => {
    expect(measure(json).treeBytes).toBe(treeBytes);
  });

  test('a text takes a byte for each character, or two if one of them is not ASCII', () => {
    expect(measure('["abc"]').textBytes).toBe(7);
    expect(measure('["ab\x7f"]').textBytes).toBe(7);
    expect(measure('["abé"]').textBytes).toBe(14);
    expect(measure('["日本"]').textBytes).toBe(12);
  });

  test.each(['[', '{"a":'])('%s at most 256 times within each other', (open) => {
    expect(measure(open.repeat(256)).treeBytes).toBeGreaterThan(0);
    expect(() => measure(open.repeat(257))).toThrow('deep');
    // Beside each other there may be more.
    expect(measure(`[${'[],{},'.repeat(300)}0]`).treeBytes).toBeGreaterThan(0);
  });

  test('at most 2,048 different names', () => {
    const named = (count: number) =>
      `[${Array.from({ length: count }, (_, at) => `{"name${at}":0},{"name${at}":"x"}`).join(',')}]`;
    expect(measure(named(2048)).treeBytes).toBeGreaterThan(0);
    expect(() => measure(named(2049))).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }));
  });
});
