import { syncBuiltinESMExports } from 'node:module';
import { context, logs, metrics, propagation, trace } from '@opentelemetry/api';
import {
  CompositePropagator,
  setGlobalErrorHandler,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { type Instrumentation, registerInstrumentations } from '@opentelemetry/instrumentation';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import type { Outcome, Sdk, StartOptions } from '../index.d.ts';
import { ContextOfEmitters } from './context-of-emitters.ts';
import { guard } from './guard.ts';
import { watchFastify } from './instrument/fastify-channel.ts';
import { makeHttpInstrumentation, setRoute, watchExpress } from './instrument/http.ts';
import { OldPino } from './instrument/old-pino.ts';
import { PgSpans } from './instrument/pg.ts';
import { watchPino } from './instrument/pino-channel.ts';
import { measureProcess } from './instrument/process-metrics.ts';
import { watchSqlite } from './instrument/sqlite.ts';
import { confirmOutcome } from './outcomes/confirm-outcome.ts';
import { OutcomeError } from './outcomes/outcome-error.ts';
import { makeProviders, type Providers } from './providers.ts';
import { sayOnce } from './say.ts';
import { readSettings, type Settings } from './settings.ts';

const NAME = '@vendor/sdk-node';
/** One SDK a process, also where the package is installed twice. */
const STARTED = Symbol.for(NAME);

type Global = typeof globalThis & { [STARTED]?: Sdk };

export function start(options: StartOptions = {}): Sdk {
  const started = (globalThis as Global)[STARTED];
  if (started) {
    if (Object.keys(options).length > 0)
      sayOnce('it is started already; the options of the second start are ignored.');
    return started;
  }
  const sdk = startOnce(options);
  (globalThis as Global)[STARTED] = sdk;
  return sdk;
}

function startOnce(options: StartOptions): Sdk {
  try {
    const settings = readSettings(options, process.env);
    if ('reason' in settings) {
      if (settings.reason !== undefined) sayOnce(settings.reason);
      return inactive(settings.reason ?? 'OTEL_SDK_DISABLED is set.');
    }
    return startWith(settings);
  } catch (error) {
    sayOnce(`it could not start: ${error instanceof Error ? error.message : 'unknown error'}`);
    return inactive('It could not start.');
  }
}

function startWith(settings: Settings): Sdk {
  const { protocol, hostname } = new URL(settings.endpoint);
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    sayOnce('VENDOR_ENDPOINT is http: the ingest key travels in the open.');
  const providers = makeProviders(settings, process.env);
  if (!register(providers)) {
    providers.end();
    sayOnce(
      'nothing is sent: another OpenTelemetry SDK, or another version of @opentelemetry/api, is registered already.',
    );
    return inactive('Another SDK is registered.');
  }
  setGlobalErrorHandler(() => {});
  guard();
  instrument(providers, settings);
  return active(settings, providers);
}

/** False if somebody else is registered: then nothing is. */
function register({ traces, logs: logging, metrics: metering }: Providers): boolean {
  if (!trace.setGlobalTracerProvider(traces)) return false;
  const manager = new ContextOfEmitters().enable();
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  metrics.setGlobalMeterProvider(metering);
  logs.setGlobalLoggerProvider(logging);
  return true;
}

function instrument({ traces, logs: logging, metrics: metering }: Providers, settings: Settings): void {
  const instrumentations: Instrumentation[] = [
    makeHttpInstrumentation(settings),
    new UndiciInstrumentation(),
    new PgSpans(),
    new OldPino(),
    new RuntimeNodeInstrumentation(),
  ];
  registerInstrumentations({
    instrumentations,
    tracerProvider: traces,
    meterProvider: metering,
    loggerProvider: logging,
  });
  // Modules that were loaded before, and imports of them, get the wrapped functions too.
  for (const name of ['node:http', 'node:https'])
    process.getBuiltinModule('node:module').createRequire(import.meta.url)(name);
  syncBuiltinESMExports();
  watchPino(logging.getLogger('pino'));
  watchSqlite(traces.getTracer('node:sqlite'));
  watchExpress();
  watchFastify();
  measureProcess(metering.getMeter('process'));
}

function active(settings: Settings, { flush, end }: Providers): Sdk {
  const bounded = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, settings.shutdownMs);
    });
    await Promise.race([flush(), deadline]).catch(() => {});
    clearTimeout(timer);
  };
  let ended: Promise<void> | undefined;
  const sdk: Sdk = {
    flush: bounded,
    shutdown: () => {
      ended ??= bounded().then(end);
      return ended;
    },
    setRoute,
    confirmOutcome: (outcome: Outcome) => confirmOutcome(settings, outcome),
  };
  // The event loop is empty: what waits is sent, and then the process ends.
  process.once('beforeExit', () => void sdk.flush());
  process.once('exit', end);
  return sdk;
}

const inactive = (reason: string): Sdk => ({
  flush: async () => {},
  shutdown: async () => {},
  setRoute: () => {},
  confirmOutcome: async () => {
    throw new OutcomeError('inactive', `The SDK is not started. ${reason}`);
  },
});
