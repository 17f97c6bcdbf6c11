import { readLogs as readLogsJson } from './json/json-logs.ts';
import { readMetrics as readMetricsJson } from './json/json-metrics.ts';
import { readTraces as readTracesJson } from './json/json-traces.ts';
import type { OtlpType } from './media-types.ts';
import { readLogs } from './protobuf/protobuf-logs.ts';
import { readMetrics } from './protobuf/protobuf-metrics.ts';
import { readTraces } from './protobuf/protobuf-traces.ts';
import type { LogBatch, MetricBatch, TraceBatch } from './rows.ts';

/**
 * The rows of an inflated export request, the same from both encodings (docs/telemetry.md#receiver). Costs CPU time
 * in proportion to the body, and at most 64 MiB besides it. Nothing is a request without items. Throws `VALIDATION_ERROR`
 * for what isn't decodable, and `PAYLOAD_TOO_LARGE` for what has too many items for a Worker's memory.
 */
export const decodeTraces = (body: Uint8Array, type: OtlpType): TraceBatch =>
  type === 'json' ? readTracesJson(body) : readTraces(body);

/** As `decodeTraces`. */
export const decodeLogs = (body: Uint8Array, type: OtlpType): LogBatch =>
  type === 'json' ? readLogsJson(body) : readLogs(body);

/** As `decodeTraces`. */
export const decodeMetrics = (body: Uint8Array, type: OtlpType): MetricBatch =>
  type === 'json' ? readMetricsJson(body) : readMetrics(body);
