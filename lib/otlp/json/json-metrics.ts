import { enumeration } from '../numbers.ts';
import type { Source } from '../origin-rows.ts';
import { MAX_ATTRIBUTE_BYTES, MAX_TREE_BYTES } from '../otlp-limits.ts';
import { finishPoint } from '../point-draft.ts';
import { Tally } from '../request-tally.ts';
import { METRIC_BYTES } from '../row-bytes.ts';
import { type MetricBatch, type MetricRow, type MetricType, type PointRow, REQUEST_NAMES } from '../rows.ts';
import { booleanOf, eachOf, type Fields, integerOf, memberOf, objectOf } from './json-fields.ts';
import { readOrigins } from './json-origins.ts';
import { readPoint } from './json-points.ts';
import { nameOf } from './json-values.ts';
import { parseRequest } from './parse-request.ts';

const TYPES: readonly MetricType[] = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'];

/** Decodes an `ExportMetricsServiceRequest` in OTLP's JSON. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`. */
export function readMetrics(bytes: Uint8Array): MetricBatch {
  const tally = new Tally(MAX_TREE_BYTES);
  const metrics: MetricRow[] = [];
  const points: PointRow[] = [];
  const { resources, scopes } = readOrigins(
    parseRequest(bytes, tally),
    REQUEST_NAMES.metrics,
    tally,
    (item, source) => readMetric(item, source, metrics, points, tally),
  );
  return { resources, scopes, metrics, points, partial: tally.partial() };
}

function readMetric(
  metric: Fields,
  source: Source,
  metrics: MetricRow[],
  points: PointRow[],
  tally: Tally,
): void {
  const name = nameOf(metric, 'name', tally);
  const description = nameOf(metric, 'description', tally, MAX_ATTRIBUTE_BYTES);
  const unit = nameOf(metric, 'unit', tally);
  const type = TYPES.find((known) => objectOf(metric, known) !== undefined);
  if (type === undefined) return;
  memberOf(metric, type, (data) =>
    readData(data, { name, description, unit, type }, source, metrics, points, tally),
  );
}

function readData(
  data: Fields,
  metric: Pick<MetricRow, 'name' | 'description' | 'unit' | 'type'>,
  source: Source,
  metrics: MetricRow[],
  points: PointRow[],
  tally: Tally,
): void {
  const { name, type } = metric;
  const isAggregated = type !== 'gauge' && type !== 'summary';
  const temporality = isAggregated ? enumeration(integerOf(data, 'aggregationTemporality'), 2) : 0;
  const monotonic = type === 'sum' && booleanOf(data, 'isMonotonic');
  let isOriginAdded = false;
  const addOrigin = (): number => {
    if (!isOriginAdded) {
      isOriginAdded = true;
      tally.spend(METRIC_BYTES);
      const { resource, scope } = source;
      metrics.push({ resource, scope, ...metric, temporality, monotonic });
    }
    return metrics.length - 1;
  };
  eachOf(data, 'dataPoints', (item) => {
    const draft = readPoint(item, type, tally);
    const point = name === '' ? tally.reject('metric') : finishPoint(draft, type, addOrigin, tally);
    if (point !== undefined) points.push(point);
  });
}
