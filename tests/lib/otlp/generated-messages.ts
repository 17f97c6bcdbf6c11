import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

/** The used parts of a message type that protobufjs generated from the official definitions. */
interface GeneratedType {
  fromObject(object: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: { longs: StringConstructor; arrays: true }): object;
}

interface Services {
  trace: { v1: Record<'ExportTraceServiceRequest' | 'ExportTraceServiceResponse', GeneratedType> };
  logs: { v1: Record<'ExportLogsServiceRequest' | 'ExportLogsServiceResponse', GeneratedType> };
  metrics: { v1: Record<'ExportMetricsServiceRequest' | 'ExportMetricsServiceResponse', GeneratedType> };
}

// The package's own types don't list its contents.
const { opentelemetry } = root as unknown as { opentelemetry: { proto: { collector: Services } } };
const { trace, logs, metrics } = opentelemetry.proto.collector;

export const REQUESTS: Record<'traces' | 'logs' | 'metrics', GeneratedType> = {
  traces: trace.v1.ExportTraceServiceRequest,
  logs: logs.v1.ExportLogsServiceRequest,
  metrics: metrics.v1.ExportMetricsServiceRequest,
};

export const RESPONSES: typeof REQUESTS = {
  traces: trace.v1.ExportTraceServiceResponse,
  logs: logs.v1.ExportLogsServiceResponse,
  metrics: metrics.v1.ExportMetricsServiceResponse,
};

/** Encodes a message in protobufjs's object form: camelCase, ids as bytes, 64-bit integers as strings. */
export const encode = (type: GeneratedType, message: object): Uint8Array =>
  new Uint8Array(type.encode(type.fromObject(message)).finish());

export const decode = (type: GeneratedType, bytes: Uint8Array): Record<string, unknown> =>
  type.toObject(type.decode(bytes), { longs: String, arrays: true }) as Record<string, unknown>;
