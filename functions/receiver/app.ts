import type { IngestContext } from '../../lib/context.ts';
import { addRoutes } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import { publicCors } from '../../lib/http/cors.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { refuseQuery } from '../../lib/http/read.ts';
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
import type { Sized } from '../../lib/telemetry/store-batch.ts';
import { storeLogs } from '../../lib/telemetry/store-logs.ts';
import { storeMetrics } from '../../lib/telemetry/store-metrics.ts';
import { storeTraces } from '../../lib/telemetry/store-traces.ts';
import { routes } from './contract.ts';
import { Env } from './env.ts';
import { backends } from './ingest-key-door.ts';
import { otlpErrors } from './otlp-errors.ts';
import { recordSentOutcomes } from './record-sent-outcomes.ts';
import { createResources, type KnownRequest } from './resources.ts';
import { note } from './sender-errors.ts';

interface AppOptions {
  /** Epoch milliseconds. */
  now?: () => number;
  log?: Log;
}

/** OTLP over HTTP, and outcomes: both are stored before the answer. */
export function createReceiverApp({ now = () => Date.now(), log = logToConsole }: AppOptions = {}) {
  const app = createApp({ name: 'receiver', env: Env, log, resources: (env) => createResources(env, now) });
  app.use(
    '/v1/*',
    publicCors({ methods: ['POST'], headers: ['Authorization', 'Content-Type', 'Content-Encoding'] }),
  );
  app.use('/v1/*', otlpErrors);
  addRoutes(app, routes, backends, {
    exportTraces: receive('traces', decodeTraces, storeTraces),
    exportLogs: receive('logs', decodeLogs, storeLogs),
    exportMetrics: receive('metrics', decodeMetrics, storeMetrics),
    recordOutcomes: recordSentOutcomes,
  });
  return app;
}

/** Decodes a request and stores it; tries again if the database is away for a moment. */
const receive =
  <Batch>(
    signal: Signal,
    decode: (body: Uint8Array, type: OtlpType) => Batch,
    store: (ctx: IngestContext, batch: Sized<Batch>) => Promise<PartialSuccess | undefined>,
  ) =>
  async (ctx: IngestContext, _: object, c: KnownRequest): Promise<Response> => {
    refuseQuery(c);
    const { headers } = c.req.raw;
    const type = readOtlpType(headers.get('content-type'));
    const encoding = readOtlpEncoding(headers.get('content-encoding'));
    const wire = (await readBody(c.req.raw, MAX_WIRE_BYTES)) as Uint8Array<ArrayBuffer>;
    const body = await inflate(wire, encoding);
    const batch = { ...decode(body, type), bytes: body.byteLength };
    const partial = await c.var.resources.waitOut(() => store(ctx, batch));
    if (partial !== undefined)
      note(c, { signal, status: 200, message: partial.message, dropped: partial.dropped });
    const answer = encodeSuccess(signal, type, partial);
    return c.body(answer.body, 200, { 'Content-Type': answer.contentType });
  };
