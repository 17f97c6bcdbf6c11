import { decoding } from './decode-errors.ts';
import { readLogs as readLogsJson } from './json/json-logs.ts';
import { readMetrics as readMetricsJson } from './json/json-metrics.ts';
import { readTraces as readTracesJson } from './json/json-traces.ts';
import type { OtlpType } from './media-types.ts';
import { readLogs } from './protobuf/protobuf-logs.ts';
import { readMetrics } from './protobuf/protobuf-metrics.ts';
import { readTraces } from './protobuf/protobuf-traces.ts';
import type { LogBatch, MetricBatch, TraceBatch } from './rows.ts';

/**
 * The rows of an inflated export request, the same from both encodings (docs/telemetry.md#receiver). CPU time grows with the body;
 * memory beside the body is at most 64 MiB. An empty body is a request without items. Throws `VALIDATION_ERROR` for a body that can't
 * be decoded, `PAYLOAD_TOO_LARGE` for more items than a Worker's memory holds.
 */
export const decodeTraces = (body: Uint8Array, type: OtlpType): TraceBatch =>
  decoding(() => (type === 'json' ? readTracesJson(body) : readTraces(body)));

/** Like `decodeTraces`. */
export const decodeLogs = (body: Uint8Array, type: OtlpType): LogBatch =>
  decoding(() => (type === 'json' ? readLogsJson(body) : readLogs(body)));

/** Like `decodeTraces`. */
export const decodeMetrics = (body: Uint8Array, type: OtlpType): MetricBatch =>
  decoding(() => (type === 'json' ? readMetricsJson(body) : readMetrics(body)));
