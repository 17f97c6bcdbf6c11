import { MAX_BUCKETS, MAX_EXEMPLARS } from '../otlp-limits.ts';
import { newPoint, type PointDraft, TOO_MANY } from '../point-draft.ts';
import type { Tally } from '../request-tally.ts';
import { ELEMENT_BYTES, EXEMPLAR_BYTES, POINT_BYTES, QUANTILE_BYTES } from '../row-bytes.ts';
import type { BucketRun, Exemplar, MetricType, Numeric } from '../rows.ts';
import {
  asCount,
  asDouble,
  asInt64,
  doubleOf,
  eachOf,
  type Fields,
  mapOf,
  memberOf,
  signedOf,
  timeOf,
  unsignedOf,
} from './json-fields.ts';
import { idOf } from './json-ids.ts';
import { attributesOf } from './json-values.ts';

/** Reads a data point of a metric of this type. */
export function readPoint(fields: Fields, type: MetricType, tally: Tally): PointDraft {
  tally.spend(POINT_BYTES);
  const point: PointDraft = {
    ...newPoint(),
    attributes: attributesOf(fields, tally),
    startNano: timeOf(fields, 'startTimeUnixNano'),
    timeNano: timeOf(fields, 'timeUnixNano'),
    flags: unsignedOf(fields, 'flags'),
  };
  if (type !== 'summary') point.exemplars = readExemplars(fields, tally);
  if (type === 'gauge' || type === 'sum') {
    point.value = readNumber(fields);
    return point;
  }
  point.count = readCount(fields, 'count');
  point.sum = doubleOf(fields, 'sum') ?? null;
  if (type === 'summary') {
    point.quantiles = readQuantiles(fields, tally);
    return point;
  }
  point.min = doubleOf(fields, 'min') ?? null;
  point.max = doubleOf(fields, 'max') ?? null;
  if (type === 'histogram') {
    const bounds = mapOf(fields, 'explicitBounds', asDouble, MAX_BUCKETS + 1);
    point.explicit = { bounds, counts: readCounts(fields, tally) };
  } else {
    point.exponential = {
      scale: signedOf(fields, 'scale'),
      zeroCount: readCount(fields, 'zeroCount'),
      zeroThreshold: doubleOf(fields, 'zeroThreshold') ?? 0,
      positive: readRun(fields, 'positive', tally),
      negative: readRun(fields, 'negative', tally),
    };
  }
  return point;
}

/** Reads the measured value of a point or an exemplar. */
function readNumber(fields: Fields): Numeric | string | null {
  const { asInt } = fields;
  if (asInt !== undefined && asInt !== null) return asInt64(asInt, 'asInt');
  return doubleOf(fields, 'asDouble') ?? null;
}

function readCount(fields: Fields, name: string): number {
  const value = fields[name];
  return value === undefined || value === null ? 0 : (asCount(value, name) ?? TOO_MANY);
}

/** Reads at most one more bucket than a histogram may have, so that too many are noticed. */
function readCounts(fields: Fields, tally: Tally): number[] {
  const counts = mapOf(fields, 'bucketCounts', asCount, MAX_BUCKETS + 1);
  tally.spend(ELEMENT_BYTES * counts.length);
  return counts.map((count) => count ?? TOO_MANY);
}

function readRun(fields: Fields, name: string, tally: Tally): BucketRun {
  return memberOf(fields, name, (run) => ({
    offset: signedOf(run, 'offset'),
    counts: readCounts(run, tally),
  }));
}

function readQuantiles(fields: Fields, tally: Tally): PointDraft['quantiles'] {
  const quantiles: PointDraft['quantiles'] = [];
  eachOf(fields, 'quantileValues', (item) => {
    tally.spend(QUANTILE_BYTES);
    quantiles.push({ quantile: doubleOf(item, 'quantile') ?? 0, value: doubleOf(item, 'value') ?? 0 });
  });
  return quantiles;
}

function readExemplars(fields: Fields, tally: Tally): Exemplar[] {
  const exemplars: Exemplar[] = [];
  eachOf(fields, 'exemplars', (exemplar) => {
    if (exemplars.length === MAX_EXEMPLARS) return tally.lose('exemplars');
    tally.spend(EXEMPLAR_BYTES);
    exemplars.push({
      timeNano: tally.keepTime(timeOf(exemplar, 'timeUnixNano')),
      value: readNumber(exemplar),
      attributes: attributesOf(exemplar, tally, 'filteredAttributes'),
      traceId: tally.keepId(idOf(exemplar, 'traceId', 16)),
      spanId: tally.keepId(idOf(exemplar, 'spanId', 8)),
    });
  });
  return exemplars;
}
