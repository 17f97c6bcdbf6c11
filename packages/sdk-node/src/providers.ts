/** Traces, logs and metrics: collected here, sent by `send/`. */
import { TraceFlags } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { LoggerProvider, type LogRecordProcessor, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { PrivateSpans } from './privacy/private-spans.ts';
import { makeResource } from './resource.ts';
import { makeSampler } from './sampler.ts';
import { type Delivery, ENDED, makeDelivery, type Refusal, TOO_LARGE } from './send/delivery.ts';
import { type EncodedSpan, encodeSpan, joinSpans } from './send/encode-spans.ts';
import { makeOutbox, type Outbox, whyNotEncoded } from './send/outbox.ts';
import { closeConnections } from './send/post.ts';
import { type LastRequest, sendNow } from './send/send-now.ts';
import { sizeOfRecord, sizeOfSpan } from './send/size.ts';
import type { Settings } from './settings.ts';

export interface Providers {
  traces: TracerProvider;
  logs: LoggerProvider;
  metrics: MeterProvider;
  /** Sends everything that was collected. Never rejects. */
  flush(): Promise<void>;
  /** Measures once more. The points are sent by what comes next. Never rejects. */
  collect(): Promise<void>;
  /** Sends what is left while the thread waits, up to `ms` milliseconds, and ends. */
  endNow(ms: number): void;
  /** Ends requests that are under way, and says what wasn't sent. */
  end(): void;
}

const METRICS_EVERY_MS = 60_000;
/** A value of an attribute is cut here, as the service does. */
const MAX_VALUE = 4096;
const LIMITS = { attributeCountLimit: 128, attributeValueLengthLimit: MAX_VALUE };

export function makeProviders(settings: Settings, env: NodeJS.ProcessEnv): Providers {
  const resource = makeResource(settings, env);
  const spans = makeDelivery(settings, {
    name: 'traces',
    items: 'spans',
    readRefusal: (answer) => {
      const { rejectedSpans, errorMessage } =
        ProtobufTraceSerializer.deserializeResponse(answer).partialSuccess ?? {};
      return refusal(rejectedSpans, errorMessage);
    },
  });
  const records = makeDelivery(settings, {
    name: 'logs',
    items: 'log records',
    readRefusal: (answer) => {
      const { rejectedLogRecords, errorMessage } =
        ProtobufLogsSerializer.deserializeResponse(answer).partialSuccess ?? {};
      return refusal(rejectedLogRecords, errorMessage);
    },
  });
  const points = makeDelivery(settings, {
    name: 'metrics',
    items: 'data points',
    readRefusal: (answer) => {
      const { rejectedDataPoints, errorMessage } =
        ProtobufMetricsSerializer.deserializeResponse(answer).partialSuccess ?? {};
      return refusal(rejectedDataPoints, errorMessage);
    },
  });
  const spanBox = makeOutbox<EncodedSpan>(spans, { encode: joinSpans, sizeOf: sizeOfSpan });
  const recordBox = makeOutbox<ReadableLogRecord>(records, {
    encode: (batch) => ProtobufLogsSerializer.serializeRequest(batch),
    sizeOf: sizeOfRecord,
  });
  const pointBox = pointsInto(points);
  const reader = new PeriodicExportingMetricReader({
    exporter: pointBox.exporter,
    exportIntervalMillis: readInterval(env),
    exportTimeoutMillis: readInterval(env),
  });
  async function flushPoints(): Promise<void> {
    await pointBox.flush();
    await reader.forceFlush().catch(() => {});
    await pointBox.flush();
  }
  const boxes = [spanBox, recordBox, pointBox];
  function end(): void {
    for (const box of boxes) box.end();
    reader.shutdown().catch(() => {});
    closeConnections();
  }
  return {
    traces: new TracerProvider({
      resource,
      sampler: makeSampler(env),
      spanLimits: LIMITS,
      spanProcessors: [new PrivateSpans(settings), spansInto(spanBox, spans)],
    }),
    logs: new LoggerProvider({ resource, logRecordLimits: LIMITS, processors: [recordsInto(recordBox)] }),
    metrics: new MeterProvider({ resource, readers: [reader] }),
    async flush() {
      await Promise.all([spanBox.flush(), recordBox.flush(), flushPoints()]);
    },
    collect: () => reader.forceFlush().catch(() => {}),
    endNow(ms) {
      sendNow(
        boxes.flatMap(({ takeLeft }) => takeLeft()),
        ms,
      );
      end();
    },
    end,
  };
}

const refusal = (count: unknown, why: string | undefined): Refusal | undefined =>
  Number(count) > 0 || why
    ? { count: Number(count ?? 0), why: why || 'the service refuses them.' }
    : undefined;

function spansInto({ add, flush }: Outbox<EncodedSpan>, { lose }: Delivery): SpanProcessor {
  return {
    onStart() {},
    onEnd(span) {
      if (!(span.spanContext().traceFlags & TraceFlags.SAMPLED)) return;
      try {
        add(encodeSpan(span));
      } catch (error) {
        lose(1, whyNotEncoded(error));
      }
    },
    forceFlush: flush,
    shutdown: flush,
  };
}

function recordsInto({ add, flush }: Outbox<ReadableLogRecord>): LogRecordProcessor {
  return { onEmit: add, forceFlush: flush, shutdown: flush };
}

interface Points {
  exporter: PushMetricExporter;
  /** Resolves when the points under way are sent or lost. */
  flush(): Promise<void>;
  /** The request of the points under way. Nothing is taken any more. */
  takeLeft(): LastRequest[];
  end(): void;
}

/**
 * The reader is never kept waiting: its timer would keep the process alive. While points are under way, others are left out: values are
 * cumulative, so the next ones have them too.
 */
function pointsInto({ deliver, prepare, lose, end }: Delivery): Points {
  let underWay: { body: Uint8Array; count: number } | undefined;
  let sending: Promise<void> | undefined;
  let ended = false;
  async function send(body: Uint8Array, count: number): Promise<void> {
    if ((await deliver(body, count)) === 'too large') lose(count, TOO_LARGE);
    underWay = undefined;
    sending = undefined;
  }
  return {
    exporter: {
      export(metrics, done) {
        done({ code: ExportResultCode.SUCCESS });
        const count = metrics.scopeMetrics
          .flatMap((scope) => scope.metrics)
          .reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
        if (ended || sending || count === 0) return;
        const body = ProtobufMetricsSerializer.serializeRequest(metrics);
        if (!body) return;
        underWay = { body, count };
        sending = send(body, count);
      },
      selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
      async forceFlush() {},
      async shutdown() {},
    },
    async flush() {
      await sending;
    },
    takeLeft() {
      const left = underWay;
      ended = true;
      underWay = undefined;
      return left ? [prepare(left.body, left.count)] : [];
    },
    end() {
      if (underWay) lose(underWay.count, ENDED);
      ended = true;
      underWay = undefined;
      end();
    },
  };
}

/** `OTEL_METRIC_EXPORT_INTERVAL`, in milliseconds. */
function readInterval({ OTEL_METRIC_EXPORT_INTERVAL }: NodeJS.ProcessEnv): number {
  const ms = Number(OTEL_METRIC_EXPORT_INTERVAL);
  return ms >= 100 ? ms : METRICS_EVERY_MS;
}
