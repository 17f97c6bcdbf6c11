/** The whole service on this machine: local endpoints for Neon and Upstash, the schema, and every function in workerd. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { connectRedis } from '../lib/redis.ts';
import { publishGuides } from '../tooling/content/publish-guides.ts';
import { type PublicGuide, readGuides } from '../tooling/content/read-guides.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../tooling/deployment.ts';
import { startMail } from '../tooling/mail/start-mail.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import { startUpstash } from '../tooling/upstash/start-upstash.ts';
import { findPort } from './free-port.ts';
import { prepareRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';
import { prepareRuntimeOnNode } from './runtime-on-node.ts';

const PUBLISH_TIMEOUT_MS = 15_000;

type Neon = Awaited<ReturnType<typeof startNeon>>;
type MailServer = Awaited<ReturnType<typeof startMail>>;
type RedisChoice = Parameters<typeof startUpstash>[0]['redis'];
type Upstash = Awaited<ReturnType<typeof startUpstash>>;

export interface StackOptions {
  /** Default: in memory. */
  database?: Parameters<typeof startNeon>[0]['database'];
  /** A replica of it, for the functions that answer questions. */
  replica?: Parameters<typeof startNeon>[0]['database'];
  /** True if the database already has the schema. */
  schemaApplied?: boolean;
  redis?: RedisChoice;
  /** The port; 0, the default, is any free port. */
  port?: number;
  /** The port of the content service; 0 likewise. */
  contentPort?: number;
  /** Default: all functions of `wrangler.toml`. */
  functions?: FunctionSpec[];
  /** The folder for mails. Default: mails are only kept in `mail.sent`. */
  mailFolder?: string;
  /** Overrides the default values. A function gets the values that its env schema names. */
  vars?: Record<string, string>;
  /** Inserts the first rows into a new database; `/demo` uses the tracker of `demoSiteId`. */
  seed?: (sql: Sql) => Promise<{ demoSiteId: string }>;
  /** Where the dev edge finds what was built of the dashboard since the start (dev/app-server.ts). */
  appOrigin?: string | undefined;
  /** The guides to publish at the start. Default: those of `content/`. */
  guides?: readonly PublicGuide[];
  /** What the functions run in. Default: workerd. */
  platform?: 'workerd' | 'node' | undefined;
  /** How the Workers are built. Default: from the current sources. */
  bundle?: RuntimeOptions['bundle'];
  /** Receives each log line of the functions; a line begins with the function's name. */
  log?: (line: string) => void;
  /** Called at the end of each step of the start, with its duration in milliseconds. */
  onStep?: (step: string, ms: number) => void;
}

export type StackRequestInit = RequestInit & { country?: string; address?: string };

export interface Stack extends Omit<Runtime, 'stop'> {
  baseUrl: string;
  contentUrl: string;
  functions: FunctionSpec[];
  neon: Neon;
  upstash: Upstash;
  /** The Redis of the day's salt, which only two functions can reach. */
  saltRedis: Upstash;
  mail: MailServer;
  sql: Sql;
  /** Sends a request from outside. `country` and `address` are what the edge would see. */
  fetch(path: string, init?: StackRequestInit): Promise<Response>;
  /** Sends a request to the content service, likewise. */
  fetchContent(path: string, init?: StackRequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Starts everything or nothing: if a part fails, all started parts are closed again. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const step = timeSteps(options.onStep ?? (() => {}));
  const port = await findPort(options.port ?? 0, '--port');
  const contentPort = await findPort(options.contentPort ?? 0, '--content-port');
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const [neon, upstash, saltRedis, mail] = await step('database, Redis and mail', () =>
      Promise.all([
        startNeon({ database: options.database ?? 'memory' }),
        startUpstash({ redis: options.redis ?? 'memory' }),
        startUpstash({ redis: saltRedisOf(options.redis ?? 'memory') }),
        startMail({ folder: options.mailFolder }),
      ]),
    );
    closers.push(neon.close, upstash.close, saltRedis.close, mail.close);
    const replica =
      options.replica === undefined ? undefined : await startNeon({ database: options.replica });
    if (replica !== undefined) closers.push(replica.close);
    const functions = options.functions ?? readDeployment();
    const baseUrl = `http://127.0.0.1:${port}`;
    const contentUrl = `http://127.0.0.1:${contentPort}`;
    const sql = connectDatabase(neon);
    const edgeVars = step('schema and first rows', () => prepareDatabase(neon, sql, options));
    const values = {
      ...secretValues(),
      ...serviceValues(neon, upstash, saltRedis),
      ...(replica && { DATABASE_READ_HTTP_ENDPOINT: replica.endpoint }),
      MAIL_URL: mail.url,
      MAIL_TOKEN: mail.token,
      MAIL_FROM: 'Vendor <no-reply@vendor.local>',
      PUBLIC_URL: baseUrl,
      CONTENT_URL: contentUrl,
      ALLOWED_ORIGINS: `http://localhost:${contentPort}`,
      ...options.vars,
    };
    // Each function has the rights of its own role, as in a deployment.
    const valuesOf = (fn: string) => ({
      DATABASE_URL: neon.urlOf(`vendor_${fn}`),
      ...(replica && { DATABASE_READ_URL: replica.urlOf(`vendor_${fn}`) }),
    });
    const log = options.log ?? (() => {});
    const { bundle } = options;
    const runtimeOptions = {
      functions,
      port,
      contentPort,
      values,
      valuesOf,
      edgeVars,
      log,
      ...(bundle && { bundle }),
    };
    const guides = step('guides', () => publishContent(upstash, options.guides));
    const [prepared] = await Promise.all([
      step('build', () =>
        options.platform === 'node' ? prepareRuntimeOnNode(runtimeOptions) : prepareRuntime(runtimeOptions),
      ),
      edgeVars,
      guides,
    ]);
    const { stop, ...runtime } = await step('functions', prepared.start);
    closers.push(stop);
    return {
      ...runtime,
      ...{ baseUrl, contentUrl, functions, neon, upstash, saltRedis, mail, sql, close },
      fetch: fetchFrom(baseUrl),
      fetchContent: fetchFrom(contentUrl),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** On a real Redis, keys of its own; an embedded one is a Redis of its own. */
function saltRedisOf(redis: RedisChoice): RedisChoice {
  return redis === 'memory' ? redis : { ...redis, keyPrefix: `${redis.keyPrefix ?? ''}private:` };
}

function serviceValues(neon: Neon, upstash: Upstash, saltRedis: Upstash): Record<string, string> {
  return {
    DATABASE_URL: neon.url,
    DATABASE_HTTP_ENDPOINT: neon.endpoint,
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
    SALT_REDIS_REST_URL: saltRedis.url,
    SALT_REDIS_REST_TOKEN: saltRedis.token,
  };
}

function secretValues(): Record<string, string> {
  return {
    AUTH_KEY: randomBytes(32).toString('hex'),
    ADDRESS_KEY: randomBytes(32).toString('hex'),
    CURSOR_KEY: randomBytes(32).toString('hex'),
    SHARE_KEY: randomBytes(32).toString('hex'),
    CHANNEL_KEY: randomBytes(32).toString('hex'),
    // The service treats a headless browser as a bot; here developers use one to watch the tracker.
    BOT_EXCEPTIONS: 'HeadlessChrome',
  };
}

/** Applies the schema if needed, and inserts the first rows. Returns the values that the edge needs. */
async function prepareDatabase(
  neon: Neon,
  sql: Sql,
  { schemaApplied = false, seed, appOrigin }: StackOptions,
): Promise<Record<string, string>> {
  if (!schemaApplied) await neon.withClient(applySchema);
  const { demoSiteId } = (await seed?.(sql)) ?? {};
  return {
    ...(demoSiteId !== undefined && { DEMO_SITE_ID: demoSiteId }),
    ...(appOrigin !== undefined && { APP_ORIGIN: appOrigin }),
  };
}

/** Does the same as `npm run content:publish`. */
async function publishContent(upstash: Upstash, guides?: readonly PublicGuide[]): Promise<void> {
  const redis = connectRedis(upstash, PUBLISH_TIMEOUT_MS);
  await publishGuides(redis, guides ?? (await readGuides(join(ROOT, 'content'))), {
    now: Date.now(),
    allowEmpty: guides !== undefined,
  });
}

function fetchFrom(baseUrl: string): Stack['fetch'] {
  return (path, { country, address, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (country !== undefined) headers.set('X-Dev-Country', country);
    if (address !== undefined) headers.set('X-Forwarded-For', address);
    return fetch(new URL(path, baseUrl), { redirect: 'manual', ...init, headers });
  };
}

/** Measures steps, which may overlap. */
function timeSteps(report: (step: string, ms: number) => void) {
  return async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await run();
    report(name, Math.round(performance.now() - start));
    return result;
  };
}
