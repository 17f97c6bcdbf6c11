import { within } from '../decode-errors.ts';
import { enumeration } from '../numbers.ts';
import type { Source } from '../origin-rows.ts';
import { MAX_ATTRIBUTE_BYTES } from '../otlp-limits.ts';
import { finishPoint, type PointDraft } from '../point-draft.ts';
import { Tally } from '../request-tally.ts';
import { METRIC_BYTES } from '../row-bytes.ts';
import { type MetricBatch, type MetricRow, type MetricType, type PointRow, REQUEST_NAMES } from '../rows.ts';
import { readOrigins } from './protobuf-origins.ts';
import { readPoint } from './protobuf-points.ts';
import { Reader } from './protobuf-reader.ts';

const TYPES: Record<number, MetricType> = {
  42: 'gauge',
  58: 'sum',
  74: 'histogram',
  82: 'exponentialHistogram',
  90: 'summary',
};

/** Decodes an `ExportMetricsServiceRequest`. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`. */
export function readMetrics(bytes: Uint8Array): MetricBatch {
  const reader = new Reader(bytes, new Tally());
  const metrics: MetricRow[] = [];
  const points: PointRow[] = [];
  const { resources, scopes } = readOrigins(
    reader,
    bytes.length,
    REQUEST_NAMES.metrics,
    (from, limit, source) => readMetric(from, limit, source, metrics, points),
  );
  return { resources, scopes, metrics, points, partial: reader.tally.partial() };
}

/** Reads the points last, when all fields that they share are known. If there are points of two types, the last type counts. */
function readMetric(
  reader: Reader,
  limit: number,
  source: Source,
  metrics: MetricRow[],
  points: PointRow[],
): void {
  const end = reader.end(limit);
  let name = '';
  let description = '';
  let unit = '';
  let type: MetricType | undefined;
  let dataFrom = end;
  while (reader.pos < end) {
    const tag = reader.tag();
    const found = TYPES[tag];
    if (tag === 10) name = reader.name(end);
    else if (tag === 18) description = reader.name(end, MAX_ATTRIBUTE_BYTES);
    else if (tag === 26) unit = reader.name(end);
    else {
      if (found !== undefined) {
        type = found;
        dataFrom = reader.pos;
      }
      reader.skip(tag, end);
    }
  }
  reader.close(end);
  if (type === undefined) return;
  reader.pos = dataFrom;
  readData(reader, end, { name, description, unit, type }, source, metrics, points);
  reader.pos = end;
}

function readData(
  reader: Reader,
  limit: number,
  metric: Pick<MetricRow, 'name' | 'description' | 'unit' | 'type'>,
  source: Source,
  metrics: MetricRow[],
  points: PointRow[],
): void {
  const { tally } = reader;
  const end = reader.end(limit);
  let temporality = 0;
  let monotonic = false;
  let row: MetricRow | undefined;
  let read = 0;
  const addOrigin = (): number => {
    if (row === undefined) {
      tally.spend(METRIC_BYTES);
      row = { resource: source.resource, scope: source.scope, ...metric, temporality, monotonic };
      metrics.push(row);
    }
    return metrics.length - 1;
  };
  const isAggregated = metric.type !== 'gauge' && metric.type !== 'summary';
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) {
      const draft = readDraft(reader, end, metric.type, read);
      read += 1;
      const point =
        metric.name === '' ? tally.reject('metric') : finishPoint(draft, metric.type, addOrigin, tally);
      if (point !== undefined) points.push(point);
    } else if (tag === 16 && isAggregated) temporality = enumeration(reader.int32(), 2);
    else if (tag === 24 && metric.type === 'sum') monotonic = reader.bool();
    else reader.skip(tag, end);
  }
  reader.close(end);
  // These fields may follow the points.
  if (row !== undefined) Object.assign(row, { temporality, monotonic });
}

function readDraft(reader: Reader, limit: number, type: MetricType, at: number): PointDraft {
  try {
    return readPoint(reader, limit, type);
  } catch (error) {
    throw within(`${type}.dataPoints[${at}]`, error);
  }
}
