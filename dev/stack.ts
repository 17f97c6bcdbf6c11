/** The whole service on this machine: both local endpoints, the schema, and every function in workerd. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../scripts/lib/deployment.ts';
import { findPort } from './free-port.ts';
import { startNeon } from './neon/server.ts';
import { prepareRuntime, type Runtime } from './runtime.ts';
import { startUpstash } from './upstash/server.ts';

type Neon = Awaited<ReturnType<typeof startNeon>>;
type Upstash = Awaited<ReturnType<typeof startUpstash>>;

export interface StackOptions {
  /** Default: in memory. */
  database?: Parameters<typeof startNeon>[0]['database'];
  redis?: Parameters<typeof startUpstash>[0]['redis'];
  /** 0, the default, is any free one. */
  port?: number;
  /** Default: those of `wrangler.toml`. */
  functions?: FunctionSpec[];
  /** Over the defaults; a function gets those that its env schema names. */
  vars?: Record<string, string>;
  /** Puts first rows into the new database; `/demo` bears the tracker of `demoSiteId`. */
  seed?: (sql: Sql) => Promise<{ demoSiteId: string }>;
  /** Takes each log line of the functions, which begins with the function's name. */
  log?: (line: string) => void;
  /** Told of each step of the start, as it ends, with its length in milliseconds. */
  onStep?: (step: string, ms: number) => void;
}

export type StackRequestInit = RequestInit & { country?: string; address?: string };

export interface Stack extends Omit<Runtime, 'stop'> {
  baseUrl: string;
  functions: FunctionSpec[];
  neon: Neon;
  upstash: Upstash;
  sql: Sql;
  /** A request from outside. `country` and `address` are what the edge would see. */
  fetch(path: string, init?: StackRequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Starts everything, or nothing: whatever was started is closed again when a part fails. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const step = timeSteps(options.onStep ?? (() => {}));
  const port = await findPort(options.port ?? 0);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const [neon, upstash] = await step('database and Redis endpoints', () =>
      Promise.all([
        startNeon({ database: options.database ?? 'memory' }),
        startUpstash({ redis: options.redis ?? 'memory' }),
      ]),
    );
    closers.push(neon.close, upstash.close);
    const functions = options.functions ?? readDeployment();
    const baseUrl = `http://127.0.0.1:${port}`;
    const sql = connectDatabase({ url: neon.url, endpoint: neon.endpoint });
    const edgeVars = step('schema and first rows', () => prepareDatabase(neon, sql, options.seed));
    const values = { ...defaultValues(baseUrl, neon, upstash), ...options.vars };
    const runtimeOptions = { functions, port, values, edgeVars, log: options.log ?? (() => {}) };
    const [prepared] = await Promise.all([step('build', () => prepareRuntime(runtimeOptions)), edgeVars]);
    const { stop, ...runtime } = await step('functions in workerd', prepared.start);
    closers.push(stop);
    return { ...runtime, baseUrl, functions, neon, upstash, sql, fetch: fetchFrom(baseUrl), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function defaultValues(baseUrl: string, neon: Neon, upstash: Upstash): Record<string, string> {
  return {
    DATABASE_URL: neon.url,
    DATABASE_HTTP_ENDPOINT: neon.endpoint,
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
    ADDRESS_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: baseUrl,
    // A headless browser is a bot to the service; here it is how one watches the tracker at work.
    BOT_EXCEPTIONS: 'HeadlessChrome',
  };
}

/** Applies the schema and the first rows. Returns what the edge is told of them. */
async function prepareDatabase(
  neon: Neon,
  sql: Sql,
  seed: StackOptions['seed'],
): Promise<Record<string, string>> {
  await neon.exec(await readFile(join(ROOT, 'schema.sql'), 'utf8'));
  if (seed === undefined) return {};
  const { demoSiteId } = await seed(sql);
  return { DEMO_SITE_ID: demoSiteId };
}

function fetchFrom(baseUrl: string): Stack['fetch'] {
  return (path, { country, address, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (country !== undefined) headers.set('X-Dev-Country', country);
    if (address !== undefined) headers.set('X-Forwarded-For', address);
    return fetch(new URL(path, baseUrl), { redirect: 'manual', ...init, headers });
  };
}

/** Times steps, which may overlap. */
function timeSteps(report: (step: string, ms: number) => void) {
  return async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await run();
    report(name, Math.round(performance.now() - start));
    return result;
  };
}
