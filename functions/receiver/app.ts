import type { Context } from 'hono';
import { createApp } from '../../lib/http/app.ts';
import { publicCors } from '../../lib/http/cors.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { NoQuery, readQuery } from '../../lib/http/read.ts';
import { readBody } from '../../lib/http/read-body.ts';
import {
  decodeLogs,
  decodeMetrics,
  decodeTraces,
  encodeSuccess,
  inflate,
  MAX_WIRE_BYTES,
  type OtlpType,
  readOtlpEncoding,
  readOtlpType,
  type Signal,
} from '../../lib/otlp/index.ts';
import type { PartialSuccess } from '../../lib/otlp/rows.ts';
import type { IngestContext } from '../../lib/telemetry/store.ts';
import { storeLogs } from '../../lib/telemetry/store-logs.ts';
import { storeMetrics } from '../../lib/telemetry/store-metrics.ts';
import { storeTraces } from '../../lib/telemetry/store-traces.ts';
import { Env } from './env.ts';
import { createGuards } from './guards.ts';
import { otlpErrors } from './otlp-errors.ts';
import { addOutcomeRoutes } from './outcome-routes.ts';
import { contextOf, createResources } from './resources.ts';
import { type KnownRequest, note, noteErrors } from './told-errors.ts';

type Store = (ctx: IngestContext) => Promise<PartialSuccess | undefined>;

/** Decodes a request at once; the returned store may be tried again. */
function decode(signal: Signal, body: Uint8Array, type: OtlpType): Store {
  switch (signal) {
    case 'traces': {
      const batch = decodeTraces(body, type);
      return (ctx) => storeTraces(ctx, batch);
    }
    case 'logs': {
      const batch = decodeLogs(body, type);
      return (ctx) => storeLogs(ctx, batch);
    }
    case 'metrics': {
      const batch = decodeMetrics(body, type);
      return (ctx) => storeMetrics(ctx, batch);
    }
  }
}

interface AppOptions {
  /** Epoch milliseconds. */
  now?: () => number;
  log?: Log;
}

/** OTLP over HTTP (docs/telemetry.md#receiver): stored before it is answered. */
export function createReceiverApp({ now = Date.now, log = logToConsole }: AppOptions = {}) {
  const guards = createGuards();
  const { gate, limit } = guards;
  const app = createApp({ name: 'receiver', env: Env, log, resources: (env) => createResources(env, now) });
  app.use(
    '/v1/*',
    publicCors({ methods: ['POST'], headers: ['Authorization', 'Content-Type', 'Content-Encoding'] }),
  );
  app.use('/v1/*', otlpErrors);

  // `known` is `c` too, with the type that it has behind the guards.
  const receive = async (c: Context, known: KnownRequest, signal: Signal): Promise<Response> => {
    readQuery(c, NoQuery);
    const { headers } = c.req.raw;
    const type = readOtlpType(headers.get('content-type'));
    const encoding = readOtlpEncoding(headers.get('content-encoding'));
    const wire = (await readBody(c.req.raw, MAX_WIRE_BYTES)) as Uint8Array<ArrayBuffer>;
    const store = decode(signal, await inflate(wire, encoding), type);
    const partial = await known.var.resources.waitOut(() => store(contextOf(known)));
    if (partial !== undefined) note(known, { signal, status: 200, message: partial.message });
    const { contentType, body } = encodeSuccess(signal, type, partial);
    return c.body(body, 200, { 'Content-Type': contentType });
  };

  addOutcomeRoutes(app, guards);
  return app
    .post('/v1/traces', gate, noteErrors('traces'), limit, (c) => receive(c, c, 'traces'))
    .post('/v1/logs', gate, noteErrors('logs'), limit, (c) => receive(c, c, 'logs'))
    .post('/v1/metrics', gate, noteErrors('metrics'), limit, (c) => receive(c, c, 'metrics'));
}

export type AppType = ReturnType<typeof createReceiverApp>;
