/**
 * Spans as an `ExportTraceServiceRequest` of OTLP. It says the same as OpenTelemetry's own serializer, which writes everything twice: a
 * test compares both.
 */
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ProtobufBytes } from './protobuf-bytes.ts';

type Attributes = Readonly<Record<string, unknown>>;

const SPAN_BYTES = 512;
/** `flags` of a span, beside those of the trace: it is known whether the parent is remote, and it is. */
const KNOWS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** Field numbers with their wire types. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;
const tag = (field: number, type: number): number => (field << 3) | type;

/** A span as it is sent, and who sent it. */
export interface EncodedSpan {
  bytes: Uint8Array;
  resource: ReadableSpan['resource'];
  scope: ReadableSpan['instrumentationScope'];
}

/** Where a span is written before it is copied. */
let scratch = new ProtobufBytes(SPAN_BYTES);

/** Spans are encoded as they end: a hundred small objects that wait to be sent would cost the garbage collector more. */
export function encodeSpan(span: ReadableSpan): EncodedSpan {
  try {
    writeSpan(scratch, span);
    return { bytes: scratch.take(), resource: span.resource, scope: span.instrumentationScope };
  } catch (error) {
    scratch = new ProtobufBytes(SPAN_BYTES);
    throw error;
  }
}

/** The request that sends these spans. */
export function joinSpans(spans: readonly EncodedSpan[]): Uint8Array {
  const out = new ProtobufBytes(spans.reduce((sum, { bytes }) => sum + bytes.length + 4, SPAN_BYTES));
  for (const [resource, ofResource] of Map.groupBy(spans, (span) => span.resource)) {
    out.byte(tag(1, LENGTH));
    const all = out.open();
    out.byte(tag(1, LENGTH));
    const described = out.open();
    writeAttributes(out, tag(1, LENGTH), resource.attributes);
    out.close(described);
    for (const [scope, ofScope] of Map.groupBy(ofResource, (span) => span.scope)) {
      out.byte(tag(2, LENGTH));
      const scoped = out.open();
      out.byte(tag(1, LENGTH));
      const named = out.open();
      writeText(out, tag(1, LENGTH), scope.name);
      writeText(out, tag(2, LENGTH), scope.version);
      out.close(named);
      for (const { bytes } of ofScope) {
        out.byte(tag(2, LENGTH));
        out.varint(bytes.length);
        out.raw(bytes);
      }
      writeText(out, tag(3, LENGTH), scope.schemaUrl);
      out.close(scoped);
    }
    writeText(out, tag(3, LENGTH), resource.schemaUrl);
    out.close(all);
  }
  return out.finish();
}

function writeSpan(out: ProtobufBytes, span: ReadableSpan): void {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  out.byte(tag(1, LENGTH));
  out.hex(traceId);
  out.byte(tag(2, LENGTH));
  out.hex(spanId);
  writeText(out, tag(3, LENGTH), traceState?.serialize());
  const parent = span.parentSpanContext;
  if (parent?.spanId) {
    out.byte(tag(4, LENGTH));
    out.hex(parent.spanId);
  }
  writeText(out, tag(5, LENGTH), span.name);
  writeCount(out, tag(6, VARINT), span.kind + 1);
  out.byte(tag(7, FIXED64));
  out.time(span.startTime);
  out.byte(tag(8, FIXED64));
  out.time(span.endTime);
  writeAttributes(out, tag(9, LENGTH), span.attributes);
  writeCount(out, tag(10, VARINT), span.droppedAttributesCount);
  for (const { time, name, attributes, droppedAttributesCount } of span.events) {
    out.byte(tag(11, LENGTH));
    const event = out.open();
    out.byte(tag(1, FIXED64));
    out.time(time);
    writeText(out, tag(2, LENGTH), name);
    writeAttributes(out, tag(3, LENGTH), attributes);
    writeCount(out, tag(4, VARINT), droppedAttributesCount);
    out.close(event);
  }
  writeCount(out, tag(12, VARINT), span.droppedEventsCount);
  for (const { context, attributes, droppedAttributesCount } of span.links) {
    out.byte(tag(13, LENGTH));
    const link = out.open();
    out.byte(tag(1, LENGTH));
    out.hex(context.traceId);
    out.byte(tag(2, LENGTH));
    out.hex(context.spanId);
    writeText(out, tag(3, LENGTH), context.traceState?.serialize());
    writeAttributes(out, tag(4, LENGTH), attributes);
    writeCount(out, tag(5, VARINT), droppedAttributesCount);
    out.byte(tag(6, FIXED32));
    out.fixed32(flagsOf(context.traceFlags, context.isRemote));
    out.close(link);
  }
  writeCount(out, tag(14, VARINT), span.droppedLinksCount);
  const { code, message } = span.status;
  out.byte(tag(15, LENGTH));
  const status = out.open();
  writeText(out, tag(2, LENGTH), message);
  writeCount(out, tag(3, VARINT), code);
  out.close(status);
  out.varint(tag(16, FIXED32));
  out.fixed32(flagsOf(traceFlags, parent?.isRemote));
}

const flagsOf = (traceFlags: number, isRemote: boolean | undefined): number =>
  (traceFlags & 0xff) | KNOWS_REMOTE | (isRemote ? IS_REMOTE : 0);

function writeText(out: ProtobufBytes, field: number, text: string | undefined): void {
  if (!text) return;
  out.byte(field);
  out.text(text);
}

function writeCount(out: ProtobufBytes, field: number, count: number | undefined): void {
  // What an application gave may be no number, or infinite.
  const given = Number(count);
  if (!(Number.isSafeInteger(given) && given > 0)) return;
  out.byte(field);
  out.varint(given);
}

/** An attribute as it was written last: most requests have the same method, host and version as the one before. */
interface Written {
  value: unknown;
  /** Kept once the value came twice in a row. */
  bytes: Uint8Array | undefined;
}

/** By key, up to a maximum number. */
const written = new Map<string, Written>();
const MAX_KEYS = 200;
/** Characters of a key, and of a value. */
const MAX_KEPT = 64;

function writeAttributes(out: ProtobufBytes, field: number, attributes: Attributes | undefined): void {
  for (const key in attributes) {
    if (!Object.hasOwn(attributes, key)) continue;
    out.byte(field);
    writeAttribute(out, key, attributes[key]);
  }
}

function writeAttribute(out: ProtobufBytes, key: string, value: unknown): void {
  const before = written.get(key);
  const isSame = before !== undefined && before.value === value;
  if (isSame && before.bytes) {
    out.raw(before.bytes);
    return;
  }
  const from = out.at;
  writeKeyValue(out, key, value);
  if (!isShort(value)) return;
  if (isSame) before.bytes = out.copySince(from);
  else if (before) {
    before.value = value;
    before.bytes = undefined;
  } else if (written.size < MAX_KEYS && key.length <= MAX_KEPT) written.set(key, { value, bytes: undefined });
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= MAX_KEPT : typeof value === 'number';

function writeKeyValue(out: ProtobufBytes, key: string, value: unknown): void {
  const start = out.open();
  writeText(out, tag(1, LENGTH), key);
  out.byte(tag(2, LENGTH));
  writeValue(out, value);
  out.close(start);
}

const MAX_INT64 = 2 ** 63;

/** An `AnyValue` with its length. */
function writeValue(out: ProtobufBytes, value: unknown): void {
  const start = out.open();
  if (typeof value === 'string') {
    out.byte(tag(1, LENGTH));
    out.text(value);
  } else if (typeof value === 'boolean') {
    out.byte(tag(2, VARINT));
    out.byte(value ? 1 : 0);
  } else if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= -MAX_INT64 && value < MAX_INT64) {
      out.byte(tag(3, VARINT));
      out.int64(value);
    } else {
      out.byte(tag(4, FIXED64));
      out.double(value);
    }
  } else if (value instanceof Uint8Array) {
    out.byte(tag(7, LENGTH));
    out.varint(value.length);
    out.raw(value);
  } else if (Array.isArray(value)) {
    out.byte(tag(5, LENGTH));
    const list = out.open();
    for (const item of value) {
      out.byte(tag(1, LENGTH));
      writeValue(out, item);
    }
    out.close(list);
  } else if (typeof value === 'object' && value !== null) {
    out.byte(tag(6, LENGTH));
    const map = out.open();
    for (const key of Object.keys(value)) {
      out.byte(tag(1, LENGTH));
      writeKeyValue(out, key, (value as Attributes)[key]);
    }
    out.close(map);
  }
  out.close(start);
}
