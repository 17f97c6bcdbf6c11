import { MAX_BUCKETS, MAX_EXEMPLARS } from '../otlp-limits.ts';
import { newPoint, type PointDraft, TOO_MANY } from '../point-draft.ts';
import { ELEMENT_BYTES, EXEMPLAR_BYTES, POINT_BYTES, QUANTILE_BYTES } from '../row-bytes.ts';
import type { BucketRun, Exemplar, MetricType } from '../rows.ts';
import type { Reader } from './protobuf-reader.ts';
import { readAttribute } from './protobuf-values.ts';

type FieldReader = (reader: Reader, tag: number, end: number, point: PointDraft) => void;

/** The field numbers of each type, except for attributes. */
const FIELDS: Record<MetricType, { attributes: number; read: FieldReader }> = {
  gauge: { attributes: 58, read: readNumberField },
  sum: { attributes: 58, read: readNumberField },
  histogram: { attributes: 74, read: readHistogramField },
  exponentialHistogram: { attributes: 10, read: readExponentialField },
  summary: { attributes: 58, read: readSummaryField },
};

/** Reads a data point of a metric of this type. */
export function readPoint(reader: Reader, limit: number, type: MetricType): PointDraft {
  const end = reader.end(limit);
  reader.tally.spend(POINT_BYTES);
  const point = newPoint();
  const { attributes, read } = FIELDS[type];
  let taken = 0;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === attributes) taken = readAttribute(reader, end, point.attributes, taken);
    else if (tag === 17) point.startNano = reader.time();
    else if (tag === 25) point.timeNano = reader.time();
    else read(reader, tag, end, point);
  }
  reader.close(end);
  return point;
}

function readNumberField(reader: Reader, tag: number, end: number, point: PointDraft): void {
  if (tag === 33) point.value = reader.double();
  else if (tag === 49) point.value = reader.sfixed64();
  else if (tag === 42) readExemplar(reader, end, point.exemplars);
  else if (tag === 64) point.flags = reader.uint32();
  else reader.skip(tag, end);
}

function readHistogramField(reader: Reader, tag: number, end: number, point: PointDraft): void {
  const { bounds, counts } = point.explicit;
  if (tag === 33) point.count = readCount(reader);
  else if (tag === 41) point.sum = reader.double();
  else if (tag === 49 || tag === 50) readRepeated(reader, tag, end, counts, readCount);
  else if (tag === 57 || tag === 58) readRepeated(reader, tag, end, bounds, readDouble);
  else if (tag === 66) readExemplar(reader, end, point.exemplars);
  else if (tag === 80) point.flags = reader.uint32();
  else if (tag === 89) point.min = reader.double();
  else if (tag === 97) point.max = reader.double();
  else reader.skip(tag, end);
}

function readExponentialField(reader: Reader, tag: number, end: number, point: PointDraft): void {
  const { exponential } = point;
  if (tag === 33) point.count = readCount(reader);
  else if (tag === 41) point.sum = reader.double();
  else if (tag === 48) exponential.scale = reader.sint32();
  else if (tag === 57) exponential.zeroCount = readCount(reader);
  else if (tag === 66) readRun(reader, end, exponential.positive);
  else if (tag === 74) readRun(reader, end, exponential.negative);
  else if (tag === 80) point.flags = reader.uint32();
  else if (tag === 90) readExemplar(reader, end, point.exemplars);
  else if (tag === 97) point.min = reader.double();
  else if (tag === 105) point.max = reader.double();
  else if (tag === 113) exponential.zeroThreshold = reader.double();
  else reader.skip(tag, end);
}

function readSummaryField(reader: Reader, tag: number, end: number, point: PointDraft): void {
  if (tag === 33) point.count = readCount(reader);
  else if (tag === 41) point.sum = reader.double();
  else if (tag === 50) readQuantile(reader, end, point);
  else if (tag === 64) point.flags = reader.uint32();
  else reader.skip(tag, end);
}

const readCount = (reader: Reader): number => reader.count() ?? TOO_MANY;
const readVarintCount = (reader: Reader): number => {
  const count = reader.int64();
  return typeof count === 'number' && count >= 0 ? count : TOO_MANY;
};
const readDouble = (reader: Reader) => reader.double();

/** A repeated number, packed or not. Keeps at most one more than a histogram may have, so that too many are noticed. */
function readRepeated<Value>(
  reader: Reader,
  tag: number,
  limit: number,
  into: Value[],
  readOne: (reader: Reader) => Value,
): void {
  const isPacked = (tag & 7) === 2;
  const end = isPacked ? reader.end(limit) : reader.pos + 1;
  const before = into.length;
  while (reader.pos < end) {
    const value = readOne(reader);
    if (into.length <= MAX_BUCKETS) into.push(value);
  }
  if (isPacked) reader.close(end);
  reader.tally.spend(ELEMENT_BYTES * (into.length - before));
}

function readRun(reader: Reader, limit: number, run: BucketRun): void {
  const end = reader.end(limit);
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 8) run.offset = reader.sint32();
    else if (tag === 16 || tag === 18) readRepeated(reader, tag, end, run.counts, readVarintCount);
    else reader.skip(tag, end);
  }
  reader.close(end);
}

function readQuantile(reader: Reader, limit: number, point: PointDraft): void {
  const end = reader.end(limit);
  reader.tally.spend(QUANTILE_BYTES);
  const quantile: PointDraft['quantiles'][number] = { quantile: 0, value: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 9) quantile.quantile = reader.double();
    else if (tag === 17) quantile.value = reader.double();
    else reader.skip(tag, end);
  }
  reader.close(end);
  point.quantiles.push(quantile);
}

function readExemplar(reader: Reader, limit: number, exemplars: Exemplar[]): void {
  const { tally } = reader;
  const end = reader.end(limit);
  if (exemplars.length === MAX_EXEMPLARS) {
    reader.pos = end;
    tally.lose('exemplars');
    return;
  }
  tally.spend(EXEMPLAR_BYTES);
  let taken = 0;
  const exemplar: Exemplar = { timeNano: '0', value: null, attributes: {}, traceId: null, spanId: null };
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 17) exemplar.timeNano = tally.keepTime(reader.time());
    else if (tag === 25) exemplar.value = reader.double();
    else if (tag === 34) exemplar.spanId = tally.keepId(reader.id(end, 8));
    else if (tag === 42) exemplar.traceId = tally.keepId(reader.id(end, 16));
    else if (tag === 49) exemplar.value = reader.sfixed64();
    else if (tag === 58) taken = readAttribute(reader, end, exemplar.attributes, taken);
    else reader.skip(tag, end);
  }
  reader.close(end);
  exemplars.push(exemplar);
}
