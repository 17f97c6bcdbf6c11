/** About how many bytes of memory what waits takes: texts by their length, all else by a fixed sum. */
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { EncodedSpan } from './encode-spans.ts';

/** Of an encoded span, beside its bytes. */
const SPAN_BYTES = 150;
/** Of a record without texts: ids, times, and what refers to them. */
const ITEM_BYTES = 500;
const VALUE_BYTES = 32;
/** Values that are deeper are counted as one: the SDK of OpenTelemetry cuts their texts. */
const MAX_DEPTH = 8;

function sizeOfValue(value: unknown, depth = 0): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return VALUE_BYTES;
  if (ArrayBuffer.isView(value)) return VALUE_BYTES + value.byteLength;
  let bytes = VALUE_BYTES;
  for (const key in value)
    bytes += key.length + sizeOfValue((value as Record<string, unknown>)[key], depth + 1);
  return bytes;
}

export const sizeOfSpan = ({ bytes }: EncodedSpan): number => SPAN_BYTES + bytes.length;

export const sizeOfRecord = ({ body, attributes }: ReadableLogRecord): number =>
  ITEM_BYTES + sizeOfValue(body) + sizeOfValue(attributes);
