/**
 * The expected rows of a request, made from the output of protobufjs's generated decoder. Slow and obvious, and without code of lib/otlp.
 */
type Fields = Record<string, unknown>;
type Signal = 'traces' | 'logs' | 'metrics';

export interface Expected {
  resources: unknown[];
  scopes: unknown[];
  rows: unknown[];
  metrics: unknown[];
  rejected: number;
}

const MAX_INT64 = 2n ** 63n - 1n;
const NAMES = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
} as const;

export function expectRows(signal: Signal, request: Fields): Expected {
  const [resources, scopes, items] = NAMES[signal];
  const result: Expected = { resources: [], scopes: [], rows: [], metrics: [], rejected: 0 };
  for (const ofResource of list(request[resources])) {
    const resource = fields(ofResource.resource);
    const resourceRow = {
      attributes: attributes(resource.attributes),
      schemaUrl: short(ofResource.schemaUrl),
      droppedAttributes: dropped(resource),
    };
    for (const ofScope of list(ofResource[scopes])) {
      const scope = fields(ofScope.scope);
      const scopeRow = {
        name: short(scope.name),
        version: short(scope.version),
        attributes: attributes(scope.attributes),
        schemaUrl: short(ofScope.schemaUrl),
        droppedAttributes: dropped(scope),
      };
      const origin = () => ({
        resource: indexOf(result.resources, resourceRow),
        scope: indexOf(result.scopes, scopeRow),
      });
      for (const item of list(ofScope[items])) {
        if (signal === 'metrics') addMetric(item, origin, result);
        else add(signal === 'traces' ? spanRow(item) : logRow(item), origin, result);
      }
    }
  }
  return result;
}

function add(row: Fields | undefined, origin: () => object, result: Expected): void {
  if (row === undefined) result.rejected += 1;
  else result.rows.push({ ...origin(), ...row });
}

function indexOf(rows: unknown[], row: unknown): number {
  const at = rows.findIndex((known) => JSON.stringify(known) === JSON.stringify(row));
  return at >= 0 ? at : rows.push(row) - 1;
}

function spanRow(span: Fields): Fields | undefined {
  const traceId = id(span.traceId, 16);
  const spanId = id(span.spanId, 8);
  const parent = bytesOf(span.parentSpanId);
  const [start, end] = [BigInt(text(span.startTimeUnixNano, '0')), BigInt(text(span.endTimeUnixNano, '0'))];
  if (traceId === null || spanId === null || (parent.length !== 0 && parent.length !== 8)) return undefined;
  if (start > MAX_INT64 || end > MAX_INT64) return undefined;
  const status = fields(span.status);
  const length = end > start ? end - start : 0n;
  const links = list(span.links)
    .map((link) => ({
      traceId: id(link.traceId, 16),
      spanId: id(link.spanId, 8),
      traceState: short(link.traceState),
      flags: number(link.flags),
      attributes: attributes(link.attributes),
      droppedAttributes: dropped(link),
    }))
    .filter((link) => link.traceId !== null && link.spanId !== null);
  return {
    traceId,
    spanId,
    parentSpanId: id(parent, 8),
    traceState: short(span.traceState),
    flags: number(span.flags),
    name: short(span.name),
    kind: between(span.kind, 5),
    startNano: String(start),
    durationNano: length > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(length),
    statusCode: between(status.code, 2),
    statusMessage: short(status.message, 4096),
    attributes: attributes(span.attributes),
    events: list(span.events)
      .slice(0, 128)
      .map((event) => ({
        name: short(event.name),
        timeNano: time(event.timeUnixNano) ?? '0',
        attributes: attributes(event.attributes),
        droppedAttributes: dropped(event),
      })),
    links,
    droppedAttributes: dropped(span),
    droppedEvents: number(span.droppedEventsCount) + Math.max(0, list(span.events).length - 128),
    droppedLinks: number(span.droppedLinksCount) + list(span.links).length - links.length,
    cutAttributes: [span, ...list(span.events).slice(0, 128), ...list(span.links)]
      .map(cuts)
      .reduce((sum, count) => sum + count, 0),
  };
}

function logRow(log: Fields): Fields | undefined {
  const at = time(log.timeUnixNano);
  const observed = time(log.observedTimeUnixNano);
  if (at === undefined || observed === undefined) return undefined;
  return {
    timeNano: at === '0' ? observed : at,
    observedNano: observed,
    severityNumber: between(log.severityNumber, 24),
    severityText: short(log.severityText),
    eventName: short(log.eventName),
    ...body(log.body),
    attributes: attributes(log.attributes),
    droppedAttributes: dropped(log),
    cutAttributes: cuts(log),
    traceId: id(log.traceId, 16),
    spanId: id(log.spanId, 8),
    flags: number(log.flags),
  };
}

function addMetric(metric: Fields, origin: () => object, result: Expected): void {
  const types = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'];
  const type = types.find((known) => metric[known] !== undefined);
  if (type === undefined) return;
  const data = fields(metric[type]);
  let index: number | undefined;
  for (const point of list(data.dataPoints)) {
    const row = metric.name === undefined || metric.name === '' ? undefined : pointRow(point, type);
    if (row === undefined) {
      result.rejected += 1;
      continue;
    }
    index ??=
      result.metrics.push({
        ...origin(),
        name: short(metric.name),
        description: short(metric.description, 4096),
        unit: short(metric.unit),
        type,
        temporality: between(data.aggregationTemporality, 2),
        monotonic: data.isMonotonic ?? false,
      }) - 1;
    result.rows.push({ metric: index, ...row });
  }
}

function pointRow(point: Fields, type: string): Fields | undefined {
  const [start, at] = [time(point.startTimeUnixNano), time(point.timeUnixNano)];
  if (start === undefined || at === undefined) return undefined;
  const isNumber = type === 'gauge' || type === 'sum';
  const measured = measurement(point);
  if (isNumber && measured === null && number(point.flags) % 2 === 0) return undefined;
  const positive = fields(point.positive);
  const negative = fields(point.negative);
  const counts = [point, positive, negative].map((side) => numbers(side.bucketCounts).map(Number));
  const bounds = numbers(point.explicitBounds) as number[];
  const total = Number(text(point.count, '0'));
  const zeroCount = Number(text(point.zeroCount, '0'));
  if (![total, zeroCount, ...counts.flat()].every(Number.isSafeInteger)) return undefined;
  const [own = [], above = [], below = []] = counts;
  if (type === 'histogram') {
    const isEmpty = own.length === 0 && bounds.length === 0;
    if (!isEmpty && own.length !== bounds.length + 1) return undefined;
    if (bounds.some((bound, i) => !Number.isFinite(bound) || bound <= (bounds[i - 1] ?? -Infinity)))
      return undefined;
  }
  const distributions: Record<string, unknown> = {
    histogram: { bounds: bounds.map(double), counts: own },
    exponentialHistogram: {
      scale: number(point.scale),
      zeroCount,
      zeroThreshold: double(point.zeroThreshold ?? 0),
      positive: { offset: number(positive.offset), counts: above },
      negative: { offset: number(negative.offset), counts: below },
    },
    summary: {
      quantiles: list(point.quantileValues).map((quantile) => ({
        quantile: double(quantile.quantile ?? 0),
        value: double(quantile.value ?? 0),
      })),
    },
  };
  const some = (name: string) => (point[name] === undefined ? null : double(point[name]));
  return {
    attributes: attributes(point.attributes),
    startNano: start,
    timeNano: at,
    flags: number(point.flags),
    value: isNumber ? measured : null,
    count: isNumber ? null : total,
    sum: type === 'summary' ? (some('sum') ?? 0) : some('sum'),
    min: some('min'),
    max: some('max'),
    distribution: distributions[type] ?? null,
    exemplars: list(point.exemplars).map((exemplar) => ({
      timeNano: time(exemplar.timeUnixNano) ?? '0',
      value: measurement(exemplar),
      attributes: attributes(exemplar.filteredAttributes),
      traceId: id(exemplar.traceId, 16),
      spanId: id(exemplar.spanId, 8),
    })),
  };
}

const measurement = (point: Fields) => {
  if (point.asInt !== undefined) return integer(point.asInt);
  return point.asDouble === undefined ? null : double(point.asDouble);
};

/** What the sender left out, and what is beyond 128. */
const dropped = (item: Fields): number =>
  number(item.droppedAttributesCount) + Math.max(0, list(item.attributes).length - 128);

/** How many attributes have a key or a value that is cut. */
const cuts = (item: Fields): number =>
  list(item.attributes)
    .slice(0, 128)
    .filter((entry) => {
      const [ofKey, ofValue] = [{ room: 4096 }, { room: 4096 }] as [Room, Room];
      cut(text(entry.key, ''), ofKey);
      value(entry.value, ofValue);
      return ofKey.isCut || ofValue.isCut;
    }).length;

function body(any: unknown): Fields {
  const left: Room = { room: 65_536 };
  return { body: value(any, left), bodyCut: left.isCut === true };
}

interface Room {
  room: number;
  isCut?: boolean;
  /** Both ends of what is cut are kept. */
  ends?: boolean;
}

function attributes(entries: unknown): Fields {
  const pairs = list(entries)
    .slice(0, 128)
    .map((entry) => {
      const key = cut(text(entry.key, ''), { room: 4096 });
      return [key, value(entry.value, { room: 4096, ends: key === 'exception.stacktrace' })] as const;
    });
  return Object.fromEntries(pairs);
}

function value(any: unknown, left: Room): unknown {
  const kinds = fields(any);
  if (kinds.stringValue !== undefined) return cut(text(kinds.stringValue, ''), left);
  if (kinds.boolValue !== undefined) return kinds.boolValue;
  if (kinds.intValue !== undefined) return integer(kinds.intValue);
  if (kinds.doubleValue !== undefined) return double(kinds.doubleValue);
  if (kinds.bytesValue !== undefined) {
    const bytes = bytesOf(kinds.bytesValue).subarray(0, left.room);
    if (bytesOf(kinds.bytesValue).length > left.room) left.isCut = true;
    left.room = Math.max(0, left.room - bytesOf(kinds.bytesValue).length);
    return bytes.toString('base64');
  }
  if (kinds.arrayValue !== undefined) {
    return within(kinds.arrayValue, left).map((item) => value(item(), left));
  }
  if (kinds.kvlistValue !== undefined) {
    const pairs = within(kinds.kvlistValue, left).map((item) => {
      const { key, value: inner } = item();
      return [cut(text(key, ''), left), value(inner, left)] as const;
    });
    return Object.fromEntries(pairs);
  }
  return null;
}

/** The elements that fit. Each takes 8 bytes of the room when it is read. */
function within(container: unknown, left: Room) {
  const items = list(fields(container).values);
  let isFull = false;
  return {
    map<Result>(make: (item: () => Fields) => Result): Result[] {
      const results: Result[] = [];
      for (const item of items) {
        if (isFull || left.room < 8) {
          isFull = true;
          left.isCut = true;
          left.room = 0;
          break;
        }
        left.room -= 8;
        results.push(make(() => item));
      }
      return results;
    },
  };
}

/** Whole lines of both ends of a text, in whole characters. */
function endsOf(whole: string, room: number): string {
  const half = Math.max(0, Math.floor((room - 5) / 2));
  const letters = [...whole];
  const fitting = (from: readonly string[]): string[] => {
    let bytes = 0;
    return from.slice(
      0,
      from.findIndex((letter) => {
        bytes += Buffer.byteLength(letter);
        return bytes > half;
      }),
    );
  };
  const head = fitting(letters).join('').split('\n');
  const tail = fitting(letters.toReversed()).toReversed().join('').split('\n');
  return `${(head.length > 1 ? head.slice(0, -1) : head).join('\n')}\n…\n${(tail.length > 1 ? tail.slice(1) : tail).join('\n')}`;
}

/** The beginning of a text that fits, in whole characters. */
function cut(whole: string, left: Room): string {
  const bytes = Buffer.from(whole);
  if (left.ends && bytes.length > left.room) {
    const kept = endsOf(whole, left.room);
    left.isCut = true;
    left.room = 0;
    return kept.replaceAll('\0', '\ufffd');
  }
  const kept = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, left.room), {
    stream: true,
  });
  if (bytes.length > left.room) left.isCut = true;
  left.room = Math.max(0, left.room - bytes.length);
  return kept.replaceAll('\0', '\ufffd');
}

const short = (whole: unknown, room = 1024): string => cut(text(whole, ''), { room });
const list = (items: unknown): Fields[] => (items ?? []) as Fields[];
const numbers = (items: unknown): unknown[] => (items ?? []) as unknown[];
const fields = (message: unknown): Fields => (message ?? {}) as Fields;
const text = (item: unknown, absent: string): string => (item ?? absent) as string;
const number = (item: unknown): number => (item ?? 0) as number;
const bytesOf = (item: unknown): Buffer => Buffer.from((item ?? []) as Uint8Array);

function id(item: unknown, size: number): string | null {
  const bytes = bytesOf(item);
  return bytes.length !== size || bytes.every((byte) => byte === 0) ? null : bytes.toString('hex');
}

function time(item: unknown): string | undefined {
  const nanoseconds = BigInt(text(item, '0'));
  return nanoseconds > MAX_INT64 ? undefined : String(nanoseconds);
}

function integer(item: unknown): number | string {
  const exact = BigInt(item as string);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : String(exact);
}

function double(item: unknown): number | string {
  const exact = item as number;
  if (!Number.isFinite(exact)) return String(exact);
  return exact === 0 ? 0 : exact;
}

const between = (item: unknown, max: number): number => {
  const code = number(item);
  return code >= 0 && code <= max ? code : 0;
};
