import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

/** The used parts of protobufjs's generated messages. */
interface Message {
  fromObject(object: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

interface Root {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Message } } } } };
}

// The package's own types don't list its contents.
export const generated: Message = (root as unknown as Root).opentelemetry.proto.collector.trace.v1
  .ExportTraceServiceRequest;

const SPANS = 512;
const ROUTES = ['/', '/cart', '/orders/:id', '/users/:id', '/search', '/health'];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** Start time of a request that isn't stored. */
const LONG_AGO_MS = 1_792_000_000_000;

/**
 * One exporter's batch of server spans with 12 attributes each, in OTLP's JSON form. Each `number` has its own spans, which begin at
 * `startMs`.
 */
export function buildRequest(number = 0, startMs = LONG_AGO_MS) {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: [
            text('service.name', 'shop'),
            text('service.version', '1.4.2'),
            text('host.name', 'web-3'),
          ],
        },
        scopeSpans: [
          {
            scope: { name: '@opentelemetry/instrumentation-http', version: '0.301.0' },
            spans: Array.from({ length: SPANS }, (_, at) => buildSpan(number * SPANS + at, startMs)),
          },
        ],
      },
    ],
  };
}

function buildSpan(at: number, startMs: number) {
  const trace = Math.floor(at / 8);
  const start = BigInt(startMs) * 1_000_000n + BigInt(at % SPANS) * 1_234_567n;
  const route = ROUTES[at % ROUTES.length] ?? '/';
  const method = METHODS[at % METHODS.length] ?? 'GET';
  return {
    traceId: hash(trace) + hash(trace + 7).repeat(3),
    spanId: hash(at + 1_000_003).repeat(2),
    parentSpanId: at % 8 === 0 ? '' : hash(trace * 8 + 1_000_003).repeat(2),
    name: `${method} ${route}`,
    kind: 2,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 3_456_789n + BigInt(at % 97) * 10_007n),
    attributes: [
      text('http.request.method', method),
      text('url.scheme', 'https'),
      text('url.path', `/orders/${hash(at)}`),
      text('http.route', route),
      text('server.address', 'shop.example.com'),
      number('server.port', 443),
      text('client.address', `203.0.113.${at % 256}`),
      text('user_agent.original', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/153.0.0.0'),
      number('http.response.status_code', at % 50 === 0 ? 500 : 200),
      number('http.response.body.size', (at * 7919) % 100_000),
      text('network.protocol.version', '1.1'),
      { key: 'shop.discount', value: { doubleValue: (at % 100) / 100 + 0.005 } },
    ],
    status: { code: at % 50 === 0 ? 2 : 0 },
    flags: 257,
  };
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const number = (key: string, value: number) => ({ key, value: { intValue: String(value) } });

/** 8 hexadecimal digits that look random but are the same each time. */
const hash = (at: number): string => (Math.imul(at + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');

/** The same request in protobuf. `fromObject` expects bytes as base64, but OTLP's JSON has hexadecimal ids. */
export function encodeRequest(request: ReturnType<typeof buildRequest>): Uint8Array {
  const copy = structuredClone(request);
  for (const { scopeSpans } of copy.resourceSpans)
    for (const { spans } of scopeSpans)
      for (const span of spans)
        for (const key of ['traceId', 'spanId', 'parentSpanId'] as const)
          span[key] = Buffer.from(span[key], 'hex').toString('base64');
  return new Uint8Array(generated.encode(generated.fromObject(copy)).finish());
}
