/** What an application gives to OpenTelemetry's API may have getters that throw. Without the SDK nobody would read them, so with it nothing throws. */
import type { LogRecord, SpanOptions } from '@opentelemetry/api';
import { LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';

// biome-ignore lint/suspicious/noExplicitAny: methods of another package, of any arguments.
type Method = (this: object, ...args: any[]) => unknown;

/** The classes are this bundle's own: those of other SDKs in the process stay as they are. */
export function guard(): void {
  // They are made to get at their classes, which no package exports.
  const tracer = new TracerProvider({ sampler: new AlwaysOnSampler() }).getTracer('');
  const logger = new LoggerProvider().getLogger('');
  const meter = new MeterProvider().getMeter('');
  // The span gets every attribute that could be read.
  wrap(
    tracer,
    ['startSpan'],
    (startSpan, self, [name, { attributes, links, ...options } = {} as SpanOptions, context]) =>
      startSpan.call(self, name, options, context),
  );
  wrap(
    tracer.startSpan('', { root: true }),
    ['setAttribute', 'setAttributes', 'addEvent', 'addLink', 'addLinks', 'recordException'],
    (_, self) => self,
  );
  wrap(logger, ['emit'], (emit, self, [{ attributes, body, ...record }]: [LogRecord]) =>
    emit.call(self, { ...record, body: typeof body === 'string' ? body : '' }),
  );
  for (const instrument of [
    meter.createCounter('counter'),
    meter.createUpDownCounter('sum'),
    meter.createHistogram('histogram'),
    meter.createGauge('gauge'),
  ])
    wrap(instrument, ['add', 'record'], () => undefined);
}

/** Wraps methods of the object's class. */
function wrap(
  object: object,
  names: readonly string[],
  // biome-ignore lint/suspicious/noExplicitAny: arguments of any of these methods.
  otherwise: (original: Method, self: object, args: any) => unknown,
): void {
  const methods = Object.getPrototypeOf(object) as Record<string, Method>;
  for (const name of names) {
    const original = methods[name];
    if (typeof original !== 'function') continue;
    methods[name] = function (this: object, ...args) {
      try {
        return original.apply(this, args);
      } catch {
        return tryOr(() => otherwise(original, this, args));
      }
    };
  }
}

function tryOr(call: () => unknown): unknown {
  try {
    return call();
  } catch {
    return undefined;
  }
}
