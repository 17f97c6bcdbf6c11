/** Spans on the wire say what OpenTelemetry's own serializer says. */
import { createRequire } from 'node:module';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { encodeSpan, joinSpans } from '../../../packages/sdk-node/src/send/encode-spans.ts';
import { REQUESTS } from '../../lib/otlp/generated-messages.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';

type ReadableSpan = Parameters<typeof encodeSpan>[0];

// The version that the SDK has isn’t the one that other tests use.
const { ProtobufTraceSerializer } = createRequire(
  new URL('../../../packages/sdk-node/package.json', import.meta.url),
)('@opentelemetry/otlp-transformer') as {
  ProtobufTraceSerializer: { serializeRequest(spans: readonly ReadableSpan[]): Uint8Array };
};

const encodeSpans = (spans: readonly ReadableSpan[]): Uint8Array => joinSpans(spans.map(encodeSpan));

const ALL = { longs: String, bytes: String, arrays: true, defaults: true, oneofs: true } as const;

/** All fields, those with their default value too. */
const read = (bytes: Uint8Array): object => REQUESTS.traces.toObject(REQUESTS.traces.decode(bytes), ALL);

function expectSame(spans: readonly ReadableSpan[]): void {
  expect(read(encodeSpans(spans))).toEqual(read(ProtobufTraceSerializer.serializeRequest(spans)));
}

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  // Around the lengths from which a length has more bytes; single surrogates.
  fc.constantFrom('', 'a'.repeat(47), 'a'.repeat(48), 'b'.repeat(127), 'ü'.repeat(64), 'x'.repeat(20_000)),
  fc.constantFrom('\ud83d', '\udc00z', 'é', '😀', '\u0000'),
);
const hex = (bytes: number): Arbitrary<string> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((values) => Buffer.from(values).toString('hex'))
    .chain((id) => fc.constantFrom(id, id.toUpperCase()));
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 127, 128, 2 ** 31, 2 ** 32, 2 ** 35, 2 ** 53, 2 ** 62, -(2 ** 63), 2 ** 63, 1e300),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.uint8Array({ maxLength: 200 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
/** Few keys and values, so that many come again; and any. */
const attributes = fc.oneof(
  fc.dictionary(
    fc.constantFrom('http.request.method', 'server.port', 'url.path'),
    fc.constantFrom('GET', 443, '443', ''),
  ),
  fc.dictionary(text, value, { maxKeys: 8 }),
);
const time = fc.tuple(fc.integer({ min: 0, max: 2 ** 32 }), fc.integer({ min: 0, max: 999_999_999 }));
const count = fc.constantFrom(0, 1, 127, 128, 70_000);
const context = fc.record(
  {
    traceId: hex(16),
    spanId: hex(8),
    traceFlags: fc.constantFrom(0, 1, 3, 255),
    isRemote: fc.boolean(),
    traceState: text.map((serialized) => ({ serialize: () => serialized })),
  },
  { requiredKeys: ['traceId', 'spanId', 'traceFlags'] },
);
const resource = fc.record({ attributes, schemaUrl: fc.option(text, { nil: undefined }) });
const scope = fc.record({
  name: text,
  version: fc.option(text, { nil: undefined }),
  schemaUrl: fc.option(text, { nil: undefined }),
});
const item = { attributes: fc.option(attributes, { nil: undefined }), droppedAttributesCount: count };
const span = fc.record({
  context,
  parentSpanContext: fc.option(context, { nil: undefined }),
  name: text,
  kind: fc.integer({ min: 0, max: 4 }),
  startTime: time,
  endTime: time,
  attributes,
  droppedAttributesCount: count,
  events: fc.array(fc.record({ time, name: text, ...item }), { maxLength: 3 }),
  droppedEventsCount: count,
  links: fc.array(fc.record({ context, ...item }), { maxLength: 3 }),
  droppedLinksCount: count,
  status: fc.record({ code: fc.constantFrom(0, 1, 2), message: fc.option(text, { nil: undefined }) }),
});

test('any spans, of several resources and scopes', () => {
  fc.assert(
    fc.property(
      fc.array(resource, { minLength: 1, maxLength: 2 }),
      fc.array(scope, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(span, fc.nat(), fc.nat()), { maxLength: 12 }),
      (resources, scopes, drawn) =>
        expectSame(
          drawn.map(
            ([{ context: own, ...rest }, a, b]) =>
              ({
                ...rest,
                spanContext: () => own,
                resource: resources[a % resources.length],
                instrumentationScope: scopes[b % scopes.length],
              }) as unknown as ReadableSpan,
          ),
        ),
    ),
    { numRuns: ORACLE_RUNS * 5 },
  );
});

const plain = {
  ...{ name: 'GET /', kind: 1, startTime: [1_795_423_202, 999_999_999], endTime: [1_795_423_203, 0] },
  ...{ attributes: {}, events: [], links: [], status: { code: 0 } },
  ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  spanContext: () => ({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
  }),
  resource: { attributes: { 'service.name': 'shop' } },
  instrumentationScope: { name: 'http' },
};
const spanWith = (more: object): ReadableSpan => ({ ...plain, ...more }) as unknown as ReadableSpan;

test('a value that changes between spans, and back', () => {
  const methods = ['GET', 'GET', 'GET', 'POST', 'GET', 'GET', 'GET', 1, 1, 1, '1', '1', '1'];
  expectSame(methods.map((method) => spanWith({ attributes: { 'http.request.method': method } })));
});

test('a batch that needs more bytes than were expected', () => {
  expectSame(
    Array.from({ length: 40 }, (_, n) =>
      spanWith({ attributes: { [`key ${n}`]: 'x'.repeat(n * 1000), ü: 'ü'.repeat(n * 50) } }),
    ),
  );
});

test('what is no number where one is expected takes no span with it', () => {
  const odd = [
    { status: { code: 'ERROR' } },
    { status: { code: -1 } },
    { kind: 'server' },
    { kind: -7 },
    { kind: Number.POSITIVE_INFINITY },
    { status: { code: 0.5 } },
    { droppedLinksCount: 2 ** 60 },
    { startTime: [Number.NaN, 0] },
    { endTime: [1, 0.5] },
  ];
  const bytes = encodeSpans([...odd, {}].map(spanWith));
  const { resourceSpans } = read(bytes) as {
    resourceSpans: { scopeSpans: { spans: { name: string; status: { code: number } }[] }[] }[];
  };
  const spans = resourceSpans[0]?.scopeSpans[0]?.spans;
  expect(spans?.map(({ name }) => name)).toEqual(Array(odd.length + 1).fill('GET /'));
});
