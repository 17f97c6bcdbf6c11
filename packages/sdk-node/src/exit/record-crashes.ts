/** A log record for each error that nobody catches, with its trace. */
import type { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';
import { context, type Logger, SeverityNumber, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import { describeError } from '../privacy/describe-error.ts';
import type { Settings } from '../settings.ts';

export interface Crash {
  /** Sends what is left while the thread waits. */
  sendNow(): void;
}

/**
 * The severity is FATAL if the error ends the process, ERROR if the application has a handler, which decides, or if the error ends another
 * thread than the main one. Handlers run afterwards, and Node.js prints the error as ever. Returns what ends it.
 */
export function recordCrashes(
  logger: Logger,
  { reveal }: Pick<Settings, 'reveal'>,
  { sendNow }: Crash,
): () => void {
  function onError(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    const isHandled =
      process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback();
    const { type, message, stack } = describeError(error, reveal.errorMessages);
    const what = origin === 'unhandledRejection' ? 'Unhandled rejection' : 'Uncaught exception';
    const isFatal = isMainThread && !isHandled;
    logger.emit({
      severityNumber: isFatal ? SeverityNumber.FATAL : SeverityNumber.ERROR,
      severityText: isFatal ? 'FATAL' : 'ERROR',
      body: `${what}: ${type}${message === undefined ? '' : `: ${message}`}`,
      attributes: {
        'exception.type': type,
        ...(message !== undefined && { 'exception.message': message }),
        ...(stack !== undefined && { 'exception.stacktrace': stack }),
      },
      context: context.active(),
    });
    if (isHandled) watchHandlers(onHandlerFailed);
    else failActiveSpans(type);
  }

  function onHandlerFailed(): void {
    logger.emit({
      severityNumber: SeverityNumber.FATAL,
      severityText: 'FATAL',
      body: 'A handler of uncaught exceptions failed',
    });
    sendNow();
  }

  process.on('uncaughtExceptionMonitor', onError);
  return () => process.off('uncaughtExceptionMonitor', onError);
}

/** Where a handler throws, Node.js ends the process with code 7 and without the event `exit`. */
function watchHandlers(onFailed: () => void): void {
  const events: EventEmitter = process;
  const { emit } = events;
  events.emit = (...args) => {
    events.emit = emit;
    let isDone = false;
    // Not caught: Node.js prints where the error was thrown.
    try {
      const result = emit.apply(events, args);
      isDone = true;
      return result;
    } finally {
      if (!isDone) onFailed();
    }
  };
}

/** The active span and that of the request: the process ends before they would. */
function failActiveSpans(type: string): void {
  const active = context.active();
  for (const span of new Set<Span | undefined>([trace.getSpan(active), getRPCMetadata(active)?.span])) {
    span?.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }
}
