import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
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
import { recordCrashes } from './exit/record-crashes.ts';
import { watchExit } from './exit/watch-exit.ts';
import { guard } from './guard.ts';
import { watchFastify } from './instrument/fastify-channel.ts';
import { makeHttpInstrumentation, setRoute, watchExpress } from './instrument/http.ts';
import { watchIncoming } from './instrument/incoming.ts';
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
/** After a flush that ended in vain, the end of the process doesn't wait for this time again. */
const IN_VAIN_MS = 1000;
/** Metrics are collected at once, unless the application measures something that takes time. */
const COLLECT_MS = 250;
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
    makeHttpInstrumentation(),
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
  watchIncoming(traces.getTracer('node:http'), metering.getMeter('node:http'), settings);
  watchPino(logging.getLogger('pino'));
  watchSqlite(traces.getTracer('node:sqlite'));
  watchExpress();
  watchFastify();
  // Its figures are of the whole process: each thread would count them again.
  if (isMainThread) measureProcess(metering.getMeter('process'));
}

function active(settings: Settings, { logs: logging, collect, endNow, end, ...providers }: Providers): Sdk {
  const { shutdownMs } = settings;
  let lastInVain = Number.NEGATIVE_INFINITY;
  const flush = async (): Promise<void> => {
    if (!(await endsWithin(shutdownMs, providers.flush()))) lastInVain = performance.now();
  };
  // The process doesn't wait twice for a service that is away.
  const sendNow = (): void => (performance.now() - lastInVain < IN_VAIN_MS ? end() : endNow(shutdownMs));
  const stops = [
    recordCrashes(logging.getLogger(NAME), settings, { sendNow }),
    watchExit({ sendNow, collect: async () => void (await endsWithin(COLLECT_MS, collect())) }),
  ];
  let ended: Promise<void> | undefined;
  const sdk: Sdk = {
    flush,
    shutdown: () => {
      ended ??= flush().then(() => {
        for (const stop of stops) stop();
        end();
      });
      return ended;
    },
    setRoute,
    confirmOutcome: (outcome: Outcome) => confirmOutcome(settings, outcome),
  };
  // The event loop is empty: what waits is sent, and then the process ends.
  process.once('beforeExit', () => void sdk.flush());
  return sdk;
}

/** False if it takes longer. Never rejects. */
async function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const isInTime = await Promise.race([work.then(() => true), deadline]).catch(() => true);
  clearTimeout(timer);
  return isInTime;
}

const inactive = (reason: string): Sdk => ({
  flush: async () => {},
  shutdown: async () => {},
  setRoute: () => {},
  confirmOutcome: async () => {
    throw new OutcomeError('inactive', `The SDK is not started. ${reason}`);
  },
});
