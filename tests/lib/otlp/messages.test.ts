/** The messages of OTLP one by one: what isn't sent, what is unknown, and what runs over. */
import { describe, expect, test } from 'vitest';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { HEX, IDS, readLog, readMetric, readSpan, toBytes } from './one-item.ts';
import { field, fixed64, request, text, varint } from './protobuf-wire.ts';

const SPAN_IDS = Buffer.concat([field(1, IDS.traceId), field(2, IDS.spanId)]);
const LINK_IDS = SPAN_IDS;
const undecodable = expect.objectContaining({ code: 'VALIDATION_ERROR' });
const read = {
  traces: (body: Uint8Array) => decodeTraces(new Uint8Array(body), 'protobuf'),
  logs: (body: Uint8Array) => decodeLogs(new Uint8Array(body), 'protobuf'),
  metrics: (body: Uint8Array) => decodeMetrics(new Uint8Array(body), 'protobuf'),
};

const NO_ORIGINS = {
  resources: [{ attributes: {}, schemaUrl: '', droppedAttributes: 0 }],
  scopes: [{ name: '', version: '', attributes: {}, schemaUrl: '', droppedAttributes: 0 }],
  partial: undefined,
};
const ORIGIN = { resource: 0, scope: 0 };

describe('what is not sent is empty, in both encodings', () => {
  test('a span', () => {
    const ids = `"traceId":"${HEX.traceId}","spanId":"${HEX.spanId}"`;
    const json = `{${ids},"endTimeUnixNano":"1","attributes":[{}],"events":[{}],"links":[{${ids}}],"status":{}}`;
    const body = field(2, SPAN_IDS, fixed64(8, 1n), field(9), field(11), field(13, LINK_IDS), field(15));
    const batch = {
      ...NO_ORIGINS,
      spans: [
        {
          ...{ ...ORIGIN, ...HEX, parentSpanId: null, traceState: '', flags: 0, name: '', kind: 0 },
          ...{ startNano: '0', durationNano: 1, statusCode: 0, statusMessage: '', attributes: { '': null } },
          events: [{ name: '', timeNano: '0', attributes: {}, droppedAttributes: 0 }],
          links: [{ ...HEX, traceState: '', flags: 0, attributes: {}, droppedAttributes: 0 }],
          ...{ droppedAttributes: 0, droppedEvents: 0, droppedLinks: 0, cutAttributes: 0 },
        },
      ],
    };
    expect(read.traces(request(body))).toEqual(batch);
    const text = `{"resourceSpans":[{"scopeSpans":[{"spans":[${json}]}]}]}`;
    expect(decodeTraces(toBytes(text), 'json')).toEqual(batch);
  });

  test('a log record', () => {
    const batch = {
      ...NO_ORIGINS,
      logs: [
        {
          ...{
            ...ORIGIN,
            timeNano: '0',
            observedNano: '0',
            severityNumber: 0,
            severityText: '',
            eventName: '',
          },
          ...{ body: null, attributes: {}, droppedAttributes: 0, cutAttributes: 0, bodyCut: false },
          ...{ traceId: null, spanId: null, flags: 0 },
        },
      ],
    };
    expect(read.logs(request(field(2)))).toEqual(batch);
    const text = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{}]}]}]}';
    expect(decodeLogs(toBytes(text), 'json')).toEqual(batch);
  });

  const run = { offset: 0, counts: [] };
  test.each<[type: string, number: number, point: object]>([
    ['gauge', 5, { value: null, count: null, distribution: null }],
    ['sum', 7, { value: null, count: null, distribution: null }],
    ['histogram', 9, { distribution: { bounds: [], counts: [] } }],
    [
      ...(['exponentialHistogram', 10] as const),
      { distribution: { scale: 0, zeroCount: 0, zeroThreshold: 0, positive: run, negative: run } },
    ],
    ['summary', 11, { sum: 0, distribution: { quantiles: [{ quantile: 0, value: 0 }] } }],
  ])('a %s', (type, number, own) => {
    // A point of a number that has none says that nothing was recorded.
    const isNumber = 'value' in own;
    const flags = isNumber ? [varint(64), varint(1)] : [];
    const parts = [
      ...flags,
      ...(type === 'summary' ? [field(6)] : [field(isNumber ? 5 : type === 'histogram' ? 8 : 11)]),
    ];
    const batch = {
      ...NO_ORIGINS,
      metrics: [{ ...ORIGIN, name: 'm', description: '', unit: '', type, temporality: 0, monotonic: false }],
      points: [
        {
          ...{ metric: 0, attributes: {}, startNano: '0', timeNano: '0', flags: isNumber ? 1 : 0 },
          ...{ value: null, count: 0, sum: null, min: null, max: null },
          exemplars:
            type === 'summary'
              ? []
              : [{ timeNano: '0', value: null, attributes: {}, traceId: null, spanId: null }],
          ...own,
        },
      ],
    };
    const body = request(field(2, field(1, text('m')), field(number, field(1, ...parts))));
    expect(read.metrics(body)).toEqual(batch);
    // A summary has no exemplars, and only a sum is monotonic.
    const other =
      type === 'summary'
        ? '"quantileValues":[{}],"exemplars":[{}]'
        : `"exemplars":[{}]${isNumber ? ',"flags":1' : ''}`;
    const shared = type === 'sum' ? '' : '"isMonotonic":true,';
    const json = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","${type}":{${shared}"dataPoints":[{${other}}]}}]}]}]}`;
    expect(decodeMetrics(toBytes(json), 'json')).toEqual(batch);
  });

  test('a metric without a name, or of no type', () => {
    const point = field(5, field(1, fixed64(6, 1n)));
    expect(read.metrics(request(field(2, point))).partial?.dropped).toEqual({ point: 1 });
    expect(read.metrics(request(field(2, field(1, text('m')))))).toMatchObject({ metrics: [], points: [] });
    const json = (metric: string) =>
      toBytes(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[${metric}]}]}]}`);
    expect(decodeMetrics(json('{"name":"m"}'), 'json')).toMatchObject({ metrics: [], points: [] });
    expect(decodeMetrics(json('{"gauge":{"dataPoints":[{"asInt":1}]}}'), 'json').partial?.dropped).toEqual({
      point: 1,
    });
  });
});

test('a temporality is of sums and histograms, and monotonic is a sum alone', () => {
  const point = { asInt: '1' };
  for (const type of ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']) {
    const number = { gauge: 5, sum: 7, histogram: 9, exponentialHistogram: 10, summary: 11 }[type] ?? 0;
    const isAggregated = type !== 'gauge' && type !== 'summary';
    const expected = [{ type, temporality: isAggregated ? 2 : 0, monotonic: type === 'sum' }];
    const shared = Buffer.from([16, 2, 24, 1]);
    const parts = [field(1, ...(type === 'gauge' || type === 'sum' ? [fixed64(6, 1n)] : []))];
    const body = request(field(2, field(1, text('m')), field(number, ...parts, shared)));
    expect(read.metrics(body).metrics).toMatchObject(expected);
    const data = JSON.stringify({ dataPoints: [point], aggregationTemporality: 2, isMonotonic: true });
    const json = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","${type}":${data}}]}]}]}`;
    expect(decodeMetrics(toBytes(json), 'json').metrics).toMatchObject(expected);
  }
});

test('every field of every message is read, by the same name in both encodings', () => {
  const attributes = [{ key: 'k', value: { stringValue: 'v' } }];
  const log = {
    ...{ ...IDS, timeUnixNano: '5', observedTimeUnixNano: '6', severityNumber: 24, severityText: 's' },
    ...{ eventName: 'e', flags: 3, attributes, droppedAttributesCount: 2, body: { boolValue: true } },
  };
  expect(readLog(log).log).toMatchObject({
    ...{ ...HEX, timeNano: '5', observedNano: '6', severityNumber: 24, severityText: 's', eventName: 'e' },
    ...{ flags: 3, attributes: { k: 'v' }, droppedAttributes: 2, body: true },
  });
  expect(readLog({ severityNumber: 25 }).log?.severityNumber).toBe(0);
  const shared = {
    attributes,
    startTimeUnixNano: '3',
    timeUnixNano: '4',
    flags: 2,
    count: '5',
    sum: 6,
    min: 7,
    max: 8,
  };
  const row = {
    attributes: { k: 'v' },
    startNano: '3',
    timeNano: '4',
    flags: 2,
    count: 5,
    sum: 6,
    min: 7,
    max: 8,
  };
  const described = { description: 'd', unit: 'u' };
  const histogram = readMetric({
    ...described,
    histogram: { dataPoints: [shared], aggregationTemporality: 1 },
  });
  expect([histogram.metrics, histogram.points]).toMatchObject([[{ ...described, temporality: 1 }], [row]]);
  const exponential = {
    ...{ ...shared, scale: 1, zeroCount: '2', zeroThreshold: 0.5 },
    positive: { offset: -3, bucketCounts: ['4'] },
    negative: { offset: 5, bucketCounts: ['6', '300'] },
  };
  expect(readMetric({ exponentialHistogram: { dataPoints: [exponential] } }).points[0]).toMatchObject({
    ...row,
    distribution: {
      ...{ scale: 1, zeroCount: 2, zeroThreshold: 0.5 },
      ...{ positive: { offset: -3, counts: [4] }, negative: { offset: 5, counts: [6, 300] } },
    },
  });
  const { min: _, max: __, ...ofSummary } = shared;
  expect(readMetric({ summary: { dataPoints: [ofSummary] } }).points[0]).toMatchObject({
    ...row,
    min: null,
    max: null,
  });
  const number = { attributes, startTimeUnixNano: '3', timeUnixNano: '4', flags: 2, asDouble: 0.5 };
  expect(readMetric({ gauge: { dataPoints: [number] } }).points[0]).toMatchObject({ value: 0.5, flags: 2 });
  const event = { name: 'e', timeUnixNano: '4', attributes, droppedAttributesCount: 2 };
  const link = { ...IDS, traceState: 't', flags: 256, attributes, droppedAttributesCount: 3 };
  const span = {
    events: [event],
    links: [link],
    droppedEventsCount: 4,
    droppedLinksCount: 5,
    traceState: 's',
  };
  expect(readSpan(span).span).toMatchObject({
    events: [{ name: 'e', timeNano: '4', attributes: { k: 'v' }, droppedAttributes: 2 }],
    links: [{ ...HEX, traceState: 't', flags: 256, attributes: { k: 'v' }, droppedAttributes: 3 }],
    ...{ droppedEvents: 4, droppedLinks: 5, traceState: 's' },
  });
});

/** A request of each signal with every message that OTLP has, each with `more` at its end. */
function everyMessage(more: Uint8Array) {
  const m = (number: number, ...content: Uint8Array[]) => field(number, ...content, more);
  const string = m(2, field(1, text('v')));
  const value = m(2, m(6, m(1, field(1, text('k')), m(2, m(5, m(1, field(1, text('v'))))))));
  const attribute = (number: number) => m(number, field(1, text('k')), value);
  const bytes = (signal: Buffer) =>
    Buffer.concat([
      m(
        1,
        m(1, m(1, field(1, text('service.name')), string)),
        m(2, m(1, field(1, text('s')), attribute(3)), signal),
      ),
      more,
    ]);
  const exemplar = (number: number) => m(number, fixed64(6, 2n), attribute(7));
  const count = fixed64(4, 3n);
  const metric = (number: number, ...point: Uint8Array[]) =>
    m(2, field(1, text('m')), m(number, m(1, ...point)));
  return {
    traces: bytes(
      m(
        2,
        SPAN_IDS,
        fixed64(8, 1n),
        m(15, Buffer.from([24, 2])),
        attribute(9),
        m(11, attribute(3)),
        m(13, LINK_IDS, attribute(4)),
      ),
    ),
    logs: bytes(m(2, m(5, field(1, text('body'))), attribute(6))),
    metrics: bytes(
      Buffer.concat([
        metric(5, fixed64(6, 1n), exemplar(5), attribute(7)),
        metric(7, fixed64(6, 1n), exemplar(5), attribute(7)),
        metric(9, count, exemplar(8), attribute(9)),
        metric(10, count, m(8, Buffer.from([16, 1])), m(9, Buffer.from([16, 1])), exemplar(11), attribute(1)),
        metric(11, count, m(6, fixed64(1, 0n)), attribute(7)),
      ]),
    ),
  };
}

test('an unknown field of any wire type is skipped in every message', () => {
  const plain = everyMessage(Buffer.alloc(0));
  const NUMBER = 500;
  const unknown = [
    Buffer.concat([varint(NUMBER << 3), varint(2 ** 40)]),
    fixed64(NUMBER, 2n ** 62n),
    field(NUMBER, text('of the future')),
    Buffer.concat([varint((NUMBER << 3) | 5), Buffer.alloc(4, 7)]),
  ];
  const noisy = everyMessage(Buffer.concat(unknown));
  for (const signal of ['traces', 'logs', 'metrics'] as const) {
    expect(read[signal](plain[signal]).partial).toBeUndefined();
    expect(read[signal](noisy[signal])).toEqual(read[signal](plain[signal]));
  }
  expect(read.metrics(plain.metrics).points).toHaveLength(5);
});

/** The same field, which says that its content has a single byte: the rest would be read as the content of the message around it. */
const cutShort = (number: number, ...content: Uint8Array[]): Buffer =>
  Buffer.concat([varint((number << 3) | 2), varint(1), ...content]);

describe('a message whose last field runs over its end is undecodable', () => {
  type Part = typeof field;
  const ofSpan = (...parts: Uint8Array[]) => request(field(2, SPAN_IDS, ...parts));
  const ofMetric = (number: number, ...point: Uint8Array[]) =>
    request(field(2, field(1, text('m')), field(number, field(1, ...point))));
  const eight = Buffer.alloc(8, 1);
  test.each<[what: string, signal: keyof typeof read, body: (part: Part) => Uint8Array]>([
    ['a resource', 'traces', (part) => field(1, part(1, Buffer.from([16, 1])), field(2, field(2, SPAN_IDS)))],
    ['a scope', 'traces', (part) => field(1, field(2, part(1, Buffer.from([32, 1])), field(2, SPAN_IDS)))],
    ['a span', 'traces', (part) => field(1, field(2, part(2, Buffer.from([48, 1]))))],
    ['a status', 'traces', (part) => ofSpan(part(15, Buffer.from([24, 1])))],
    ['an event', 'traces', (part) => ofSpan(part(11, Buffer.from([32, 1])))],
    ['a link', 'traces', (part) => ofSpan(part(13, Buffer.from([40, 1])))],
    ['a value', 'traces', (part) => ofSpan(field(9, part(2, Buffer.from([16, 1]))))],
    ['a log record', 'logs', (part) => field(1, field(2, part(2, Buffer.from([16, 1]))))],
    ['the data of a metric', 'metrics', (part) => request(field(2, part(7, Buffer.from([16, 1]))))],
    ['a point', 'metrics', (part) => request(field(2, field(5, part(1, Buffer.from([64, 1])))))],
    ['buckets', 'metrics', (part) => ofMetric(10, part(8, Buffer.from([8, 2])))],
    ['a quantile', 'metrics', (part) => ofMetric(11, part(6, Buffer.from([9]), eight))],
    ['an exemplar', 'metrics', (part) => ofMetric(5, part(5, Buffer.from([25]), eight))],
    ['packed counts', 'metrics', (part) => ofMetric(9, part(6, eight))],
  ])('%s', (_, signal, body) => {
    expect(() => read[signal](body(field))).not.toThrow();
    expect(() => read[signal](body(cutShort))).toThrow(undecodable);
  });
});

test('the schema’s addresses of resources and scopes are read in both encodings', () => {
  const body = field(
    1,
    field(2, field(2, SPAN_IDS), field(3, text('of-scope'))),
    field(3, text('of-resource')),
  );
  const ids = `{"traceId":"${HEX.traceId}","spanId":"${HEX.spanId}"}`;
  const json = `{"resourceSpans":[{"schemaUrl":"of-resource","scopeSpans":[{"schemaUrl":"of-scope","spans":[${ids}]}]}]}`;
  const batch = read.traces(body);
  expect(batch).toMatchObject({
    resources: [{ schemaUrl: 'of-resource' }],
    scopes: [{ schemaUrl: 'of-scope' }],
  });
  expect(decodeTraces(toBytes(json), 'json')).toEqual(batch);
});

test('each item counts its own attributes that were cut', () => {
  const attributes = [{ key: 'k', value: { stringValue: 'x'.repeat(5000) } }];
  const ids = { traceId: HEX.traceId, spanId: HEX.spanId };
  const spans = { resourceSpans: [{ scopeSpans: [{ spans: [1, 2].map(() => ({ ...ids, attributes })) }] }] };
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }, { attributes }] }] }] };
  const cut = (rows: { cutAttributes: number }[]) => rows.map(({ cutAttributes }) => cutAttributes);
  expect(cut(decodeTraces(toBytes(JSON.stringify(spans)), 'json').spans)).toEqual([1, 1]);
  expect(cut(decodeLogs(toBytes(JSON.stringify(logs)), 'json').logs)).toEqual([1, 1]);
});

test.each(['\\ud800', '\\udbff', '\\udc00', '\\udfff', '\\uffff', '\\u0800'])(
  '%s takes three bytes of a name',
  (written) => {
    const name = (count: number) =>
      decodeLogs(
        toBytes(
          `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"${written.repeat(count)}"}]}]}]}`,
        ),
        'json',
      );
    expect(name(341).partial).toBeUndefined();
    expect(name(342).partial?.message).toBe('Shortened: 1 names or texts cut.');
    expect(name(342).logs[0]?.eventName).toHaveLength(341);
    expect(name(1).logs[0]?.eventName.isWellFormed()).toBe(true);
  },
);
