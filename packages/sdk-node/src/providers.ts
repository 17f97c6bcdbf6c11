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
import { type ReadableSpan, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { PrivateSpans } from './privacy/private-spans.ts';
import { makeResource } from './resource.ts';
import { makeSampler } from './sampler.ts';
import { type Delivery, makeDelivery, type Refusal } from './send/delivery.ts';
import { makeOutbox, type Outbox } from './send/outbox.ts';
import type { Settings } from './settings.ts';

export interface Providers {
  traces: TracerProvider;
  logs: LoggerProvider;
  metrics: MeterProvider;
  /** Sends everything that was collected. Never rejects. */
  flush(): Promise<void>;
  /** Ends requests that are under way; what isn't sent is lost. */
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
  const spanBox = makeOutbox<ReadableSpan>(spans, (batch) => ProtobufTraceSerializer.serializeRequest(batch));
  const recordBox = makeOutbox<ReadableLogRecord>(records, (batch) =>
    ProtobufLogsSerializer.serializeRequest(batch),
  );
  const reader = new PeriodicExportingMetricReader({
    exporter: pointsInto(points),
    exportIntervalMillis: readInterval(env),
    exportTimeoutMillis: readInterval(env),
  });
  return {
    traces: new TracerProvider({
      resource,
      sampler: makeSampler(env),
      spanLimits: LIMITS,
      spanProcessors: [new PrivateSpans(settings), spansInto(spanBox)],
    }),
    logs: new LoggerProvider({ resource, logRecordLimits: LIMITS, processors: [recordsInto(recordBox)] }),
    metrics: new MeterProvider({ resource, readers: [reader] }),
    async flush() {
      await Promise.all([spanBox.flush(), recordBox.flush(), reader.forceFlush().catch(() => {})]);
    },
    end() {
      for (const { end } of [spans, records, points]) end();
      reader.shutdown().catch(() => {});
    },
  };
}

const refusal = (count: unknown, why: string | undefined): Refusal | undefined =>
  Number(count) > 0 || why
    ? { count: Number(count ?? 0), why: why || 'the service refuses them.' }
    : undefined;

function spansInto({ add, flush }: Outbox<ReadableSpan>): SpanProcessor {
  return {
    onStart() {},
    onEnd(span) {
      if (span.spanContext().traceFlags & TraceFlags.SAMPLED) add(span);
    },
    forceFlush: flush,
    shutdown: flush,
  };
}

function recordsInto({ add, flush }: Outbox<ReadableLogRecord>): LogRecordProcessor {
  return { onEmit: add, forceFlush: flush, shutdown: flush };
}

function pointsInto({ deliver }: Delivery): PushMetricExporter {
  return {
    export(metrics, done) {
      const count = metrics.scopeMetrics
        .flatMap((scope) => scope.metrics)
        .reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
      const body = count > 0 && ProtobufMetricsSerializer.serializeRequest(metrics);
      if (!body) return done({ code: ExportResultCode.SUCCESS });
      void deliver(body, count).then(() => done({ code: ExportResultCode.SUCCESS }));
    },
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
    async forceFlush() {},
    async shutdown() {},
  };
}

/** `OTEL_METRIC_EXPORT_INTERVAL`, in milliseconds. */
function readInterval({ OTEL_METRIC_EXPORT_INTERVAL }: NodeJS.ProcessEnv): number {
  const ms = Number(OTEL_METRIC_EXPORT_INTERVAL);
  return ms >= 100 ? ms : METRICS_EVERY_MS;
}
