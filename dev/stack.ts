/** The whole service on this machine: both local endpoints, the schema, and every function in workerd. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../scripts/lib/deployment.ts';
import { findPort } from './free-port.ts';
import { startNeon } from './neon/server.ts';
import { startUpstash } from './upstash/server.ts';
import { planWorkers } from './workers.ts';

type NeonEndpoint = Awaited<ReturnType<typeof startNeon>>;
type UpstashEndpoint = Awaited<ReturnType<typeof startUpstash>>;

export interface StackOptions {
  /** Default: in memory. */
  database?: Parameters<typeof startNeon>[0]['database'];
  redis?: Parameters<typeof startUpstash>[0]['redis'];
  /** 0, the default, is any free one. */
  port?: number;
  /** Over the defaults; a function gets those that its env schema names. */
  vars?: Record<string, string>;
  /** The demo site, whose tracker `/demo` bears. */
  demoSiteId?: string;
  /** Takes each log line of the functions, which begins with the function's name. */
  log?: (line: string) => void;
  /** Told of each step of the start, as it ends, with its length in milliseconds. */
  onStep?: (step: string, ms: number) => void;
}

export type StackRequestInit = RequestInit & { country?: string; address?: string };

export interface QueueOutcome {
  outcome: string;
  ackAll: boolean;
  retryBatch: { retry: boolean };
  explicitAcks: string[];
  retryMessages: { msgId: string }[];
}

export interface Stack {
  baseUrl: string;
  functions: FunctionSpec[];
  neon: NeonEndpoint;
  upstash: UpstashEndpoint;
  sql: Sql;
  /** A request from outside. `country` and `address` are what the edge would see. */
  fetch(path: string, init?: StackRequestInit): Promise<Response>;
  /** Runs a function's cron handler now. Throws if it failed. */
  scheduled(fn: string, cron: string, scheduledTime?: Date): Promise<void>;
  /** Hands a batch of JSON bodies to a function's queue handler, past the queue. */
  queue(fn: string, queue: string, bodies: unknown[]): Promise<QueueOutcome>;
  /** Builds the Workers anew and puts them in place of the running ones; databases stay. Throws on a build error. */
  reload(changes?: { demoSiteId?: string }): Promise<void>;
  close(): Promise<void>;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const step = stepper(options.onStep ?? (() => {}));
  const functions = readDeployment().filter(({ main }) => existsSync(main));
  const port = await findPort(options.port ?? 0);
  const baseUrl = `http://127.0.0.1:${port}`;
  const [neon, upstash] = await step('database and Redis endpoints', () =>
    Promise.all([
      startNeon({ database: options.database ?? 'memory' }),
      startUpstash({ redis: options.redis ?? 'memory' }),
    ]),
  );
  const values = {
    DATABASE_URL: neon.url,
    DATABASE_HTTP_ENDPOINT: neon.endpoint,
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
    ADDRESS_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: baseUrl,
    BOT_EXCEPTIONS: 'HeadlessChrome',
    ...options.vars,
  };
  const edgeVars: Record<string, string> = {};
  if (options.demoSiteId !== undefined) edgeVars.DEMO_SITE_ID = options.demoSiteId;
  const plan = async (): Promise<MiniflareOptions> => ({
    ...asShared(port, options.log ?? (() => {})),
    workers: await planWorkers(functions, values, edgeVars),
  });

  const [initial] = await Promise.all([
    step('build', plan),
    step('schema', async () => neon.exec(await readFile(join(ROOT, 'schema.sql'), 'utf8'))),
  ]);
  const miniflare = new Miniflare(initial);
  await step('workerd', () => miniflare.ready);

  const worker = (fn: string) => {
    const spec = functions.find((candidate) => candidate.fn === fn);
    if (spec === undefined) throw new Error(`wrangler.toml has no [env.${fn}]`);
    return miniflare.getWorker(spec.name);
  };
  return {
    baseUrl,
    functions,
    neon,
    upstash,
    sql: connectDatabase({ url: neon.url, endpoint: neon.endpoint }),
    fetch: (path, { country, address, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (country !== undefined) headers.set('X-Dev-Country', country);
      if (address !== undefined) headers.set('X-Forwarded-For', address);
      return fetch(new URL(path, baseUrl), { redirect: 'manual', ...init, headers });
    },
    scheduled: async (fn, cron, scheduledTime = new Date()) => {
      const { outcome } = await (await worker(fn)).scheduled({ cron, scheduledTime });
      if (outcome !== 'ok') throw new Error(`${fn}: the cron ${cron} ended with ${outcome}`);
    },
    queue: async (fn, queue, bodies) =>
      (await worker(fn)).queue(
        queue,
        bodies.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
      ) as Promise<QueueOutcome>,
    reload: async (changes = {}) => {
      if (changes.demoSiteId !== undefined) edgeVars.DEMO_SITE_ID = changes.demoSiteId;
      await miniflare.setOptions(await plan());
    },
    close: async () => {
      await miniflare.dispose();
      await Promise.all([neon.close(), upstash.close()]);
    },
  };
}

function asShared(port: number, log: (line: string) => void): Omit<MiniflareOptions, 'workers'> {
  return {
    host: '127.0.0.1',
    port,
    cf: false,
    log: new Log(LogLevel.NONE),
    logRequests: false,
    handleStructuredLogs: ({ message }) => log(message),
    handleUncaughtError: (error) => log(String(error.stack ?? error)),
    telemetry: { enabled: false },
  };
}

/** Times steps, which may overlap. */
function stepper(report: (step: string, ms: number) => void) {
  return async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await run();
    report(name, Math.round(performance.now() - start));
    return result;
  };
}
