import fc from 'fast-check';

/** Random valid requests in the object form of protobufjs: ids and bytes as Uint8Array, 64-bit integers as strings. */

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const few = <Value>(value: fc.Arbitrary<Value>, maxLength = 3) => fc.array(value, { maxLength });

const awkward = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  '0',
  '-1',
  'a\0b',
  '\ufeffx',
  '"\\\n',
  'ünï',
  '日本',
  '😀',
);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: awkward },
  // Texts with lengths around 1 KiB and 4 KiB, with characters of each length at the limit.
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', 'é', '日', '😀'),
        fc.constantFrom(1, 340, 1020, 1364, 2047, 4095),
        fc.string({ maxLength: 5 }),
      )
      .map(([letter, count, end]) => letter.repeat(count) + end),
  },
);

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const id = (size: number) =>
  fc.oneof(
    { weight: 20, arbitrary: bytes(size) },
    { weight: 1, arbitrary: fc.constant(new Uint8Array(size)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: size + 1 }) },
  );

const long = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map(String);
const int64 = fc.oneof(
  long(-5n, 300n),
  long(-(2n ** 63n), 2n ** 63n - 1n),
  long(-(2n ** 53n) - 2n, 2n ** 53n + 2n),
);
const time = fc.oneof(
  { weight: 6, arbitrary: long(1_792_000_000_000_000_000n, 1_792_000_100_000_000_000n) },
  { weight: 2, arbitrary: long(0n, 2n ** 63n - 1n) },
  { weight: 1, arbitrary: long(0n, 2n ** 64n - 1n) },
);
const count = fc.oneof(
  { weight: 9, arbitrary: long(0n, 1000n) },
  { weight: 3, arbitrary: long(0n, 2n ** 53n - 1n) },
  { weight: 1, arbitrary: long(0n, 2n ** 64n - 1n) },
);
const double = fc.double();
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const enumeration = (max: number) => fc.integer({ min: -1, max: max + 1 });

interface AnyValue {
  [kind: string]: unknown;
}

const { value: anyValue } = fc.letrec<{ value: AnyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    int64.map((intValue) => ({ intValue })),
    double.map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 40 }).map((bytesValue) => ({ bytesValue })),
    fc.constant({ bytesValue: new Uint8Array(5000).fill(7) }),
    fc.constant({}),
    few(tie('value'), 4).map((values) => ({ arrayValue: { values } })),
    fc.integer({ min: 500, max: 600 }).map((size) => ({
      arrayValue: { values: Array.from({ length: size }, (_, at) => ({ intValue: String(at) })) },
    })),
    few(fc.record({ key: text, value: tie('value') }), 4).map((values) => ({ kvlistValue: { values } })),
  ),
}));

/** Stacks around 4 KiB keep both ends. */
const stack = fc
  .tuple(
    fc.constantFrom('at é (a.js:1:2)', '日'.repeat(30), 'x'.repeat(4100)),
    fc.constantFrom(1, 40, 230, 260),
    text,
  )
  .map(([line, count, end]) => `${`${line}\n`.repeat(count)}${end}`);
const attribute = fc.oneof(
  { weight: 12, arbitrary: fc.record({ key: text, value: optional(anyValue) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      key: fc.constant('exception.stacktrace'),
      value: fc.oneof(
        stack.map((stringValue) => ({ stringValue })),
        optional(anyValue),
      ),
    }),
  },
);
const attributes = fc.oneof(
  { weight: 20, arbitrary: few(attribute, 5) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 126, max: 131 })
      .map((size) =>
        Array.from({ length: size }, (_, at) => ({ key: `k${at}`, value: { boolValue: true } })),
      ),
  },
);

const origin = {
  resource: optional(fc.record({ attributes, droppedAttributesCount: optional(uint32) })),
  schemaUrl: optional(text),
};
const scope = optional(
  fc.record({
    name: optional(text),
    version: optional(text),
    attributes,
    droppedAttributesCount: optional(uint32),
  }),
);

const event = fc.record({
  timeUnixNano: optional(time),
  name: optional(text),
  attributes,
  droppedAttributesCount: optional(uint32),
});
const link = fc.record({
  traceId: id(16),
  spanId: id(8),
  traceState: optional(text),
  attributes,
  droppedAttributesCount: optional(uint32),
  flags: optional(uint32),
});
const span = fc.record({
  traceId: id(16),
  spanId: id(8),
  traceState: optional(text),
  parentSpanId: optional(id(8)),
  flags: optional(uint32),
  name: optional(text),
  kind: optional(enumeration(5)),
  startTimeUnixNano: optional(time),
  endTimeUnixNano: optional(time),
  attributes,
  droppedAttributesCount: optional(uint32),
  events: fc.oneof(
    { weight: 12, arbitrary: few(event) },
    { weight: 1, arbitrary: fc.constant(Array.from({ length: 130 }, () => ({ name: 'e' }))) },
  ),
  droppedEventsCount: optional(uint32),
  links: few(link),
  droppedLinksCount: optional(uint32),
  status: optional(fc.record({ message: optional(text), code: optional(enumeration(2)) })),
});

const logRecord = fc.record({
  timeUnixNano: optional(time),
  observedTimeUnixNano: optional(time),
  severityNumber: optional(enumeration(24)),
  severityText: optional(text),
  body: optional(anyValue),
  attributes,
  droppedAttributesCount: optional(uint32),
  flags: optional(uint32),
  traceId: optional(id(16)),
  spanId: optional(id(8)),
  eventName: optional(text),
});

const measured = fc.oneof(
  double.map((asDouble) => ({ asDouble })),
  int64.map((asInt) => ({ asInt })),
  fc.constant({}),
);
const exemplar = fc
  .record({
    timeUnixNano: optional(time),
    spanId: optional(id(8)),
    traceId: optional(id(16)),
    filteredAttributes: attributes,
  })
  .chain((common) => measured.map((value) => ({ ...common, ...value })));
const pointFields = {
  attributes,
  startTimeUnixNano: optional(time),
  timeUnixNano: optional(time),
  flags: optional(fc.integer({ min: 0, max: 3 })),
};
const numberPoint = fc
  .record({ ...pointFields, exemplars: few(exemplar) })
  .chain((common) => measured.map((value) => ({ ...common, ...value })));
const range = { count: optional(count), sum: optional(double), min: optional(double), max: optional(double) };
const rising = fc
  .uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    maxLength: 6,
    comparator: (a, b) => a === b,
  })
  .map((bounds) => bounds.sort((a, b) => a - b));
const buckets = fc.oneof(
  {
    weight: 9,
    arbitrary: rising.chain((explicitBounds) =>
      fc
        .array(count, { minLength: explicitBounds.length + 1, maxLength: explicitBounds.length + 1 })
        .map((bucketCounts) => ({ explicitBounds, bucketCounts })),
    ),
  },
  { weight: 2, arbitrary: fc.constant({ explicitBounds: [], bucketCounts: [] }) },
  { weight: 1, arbitrary: fc.record({ explicitBounds: few(double), bucketCounts: few(count) }) },
);
const histogramPoint = fc
  .record({ ...pointFields, ...range, exemplars: few(exemplar) })
  .chain((common) => buckets.map((those) => ({ ...common, ...those })));
const sint32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const run = fc.record({ offset: optional(sint32), bucketCounts: few(count, 6) });
const exponentialPoint = fc.record({
  ...pointFields,
  ...range,
  exemplars: few(exemplar),
  scale: optional(sint32),
  zeroCount: optional(count),
  zeroThreshold: optional(double),
  positive: optional(run),
  negative: optional(run),
});
const summaryPoint = fc.record({
  ...pointFields,
  count: optional(count),
  sum: optional(double),
  quantileValues: few(fc.record({ quantile: optional(double), value: optional(double) })),
});

const data = fc.oneof(
  few(numberPoint).map((dataPoints) => ({ gauge: { dataPoints } })),
  fc
    .record({
      dataPoints: few(numberPoint),
      aggregationTemporality: optional(enumeration(2)),
      isMonotonic: optional(fc.boolean()),
    })
    .map((sum) => ({ sum })),
  fc
    .record({ dataPoints: few(histogramPoint), aggregationTemporality: optional(enumeration(2)) })
    .map((histogram) => ({ histogram })),
  fc
    .record({ dataPoints: few(exponentialPoint), aggregationTemporality: optional(enumeration(2)) })
    .map((exponentialHistogram) => ({ exponentialHistogram })),
  few(summaryPoint).map((dataPoints) => ({ summary: { dataPoints } })),
  fc.constant({}),
);
const metric = fc
  .record({ name: text, description: optional(text), unit: optional(text), metadata: few(attribute) })
  .chain((common) => data.map((those) => ({ ...common, ...those })));

export const REQUEST_ARBITRARIES = {
  traces: few(
    fc.record({
      ...origin,
      scopeSpans: few(fc.record({ scope, spans: few(span, 4), schemaUrl: optional(text) })),
    }),
  ).map((resourceSpans) => ({ resourceSpans })),
  logs: few(
    fc.record({
      ...origin,
      scopeLogs: few(fc.record({ scope, logRecords: few(logRecord, 4), schemaUrl: optional(text) })),
    }),
  ).map((resourceLogs) => ({ resourceLogs })),
  metrics: few(
    fc.record({
      ...origin,
      scopeMetrics: few(fc.record({ scope, metrics: few(metric), schemaUrl: optional(text) })),
    }),
  ).map((resourceMetrics) => ({ resourceMetrics })),
};
