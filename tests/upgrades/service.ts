/** The functions in this process, on one database, with a clock that the test sets. */

import { createAccountApp } from '../../functions/account/app.ts';
import { createAnalyticsApp } from '../../functions/analytics/app.ts';
import { MailFigures } from '../../functions/analytics/index.ts';
import { Messages } from '../../functions/ingest/index.ts';
import { createReceiverApp } from '../../functions/receiver/app.ts';
import { createSitesApp } from '../../functions/sites/app.ts';
import { createTelemetryApp } from '../../functions/telemetry/app.ts';
import { connectDatabase, type Sql } from '../../lib/db.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { startUpstash } from '../../tooling/upstash/start-upstash.ts';
import { createCookie, TEST_AUTH_KEY } from '../security/session.ts';

const PUBLIC_URL = 'http://vendor.example';

export interface Caller {
  token?: string;
  cookie?: string;
}

export interface Service {
  sql: Sql;
  /** The variables of the functions. */
  env: object;
  neon: Awaited<ReturnType<typeof startNeon>>;
  /** Sets the clock, in epoch milliseconds. */
  at(instant: number): void;
  ask: Ask;
  close(): Promise<void>;
}

export interface Ask {
  /** Sends a request. Returns the body, and throws unless the answer is a success. */
  <T>(by: Caller, method: string, path: string, body?: unknown): Promise<T>;
  raw(method: string, path: string, body?: unknown, by?: Caller): Promise<Response>;
}

/** A function as a Worker exports it. */
interface Fetcher {
  fetch(request: Request, env: object): Response | Promise<Response>;
}

/** The functions that read the database: a release's builds of them are kept. */
export const FUNCTIONS = ['account', 'analytics', 'ingest', 'receiver', 'sites', 'telemetry'] as const;

/** What a service is made of: `Messages` stores the events that `sites` takes from servers. */
export interface Functions extends Record<Exclude<(typeof FUNCTIONS)[number], 'ingest'>, Fetcher> {
  messages: Fetcher;
}

const log = () => {};

/** The functions of this checkout. */
const OWN: Functions = {
  account: createAccountApp({ log }),
  analytics: createAnalyticsApp({ log }),
  receiver: createReceiverApp({ log }),
  sites: createSitesApp({ log }),
  telemetry: createTelemetryApp({ log }),
  messages: Messages,
};

const ROUTES: readonly [RegExp, Exclude<keyof Functions, 'messages'>][] = [
  [/^\/v1\//, 'receiver'],
  [/^\/api\/v1\/telemetry\//, 'telemetry'],
  [/^\/api\/v1\/(sites\/[^/]+\/analytics|shares)\//, 'analytics'],
  [/^\/api\/v1\/sites/, 'sites'],
  [/^\//, 'account'],
];

export async function openService(
  database: Parameters<typeof startNeon>[0]['database'],
  functions: Functions = OWN,
): Promise<Service> {
  const [neon, upstash] = await Promise.all([startNeon({ database }), startUpstash({ redis: 'memory' })]);
  const env: object = {
    DATABASE_URL: neon.url,
    DATABASE_HTTP_ENDPOINT: neon.endpoint,
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
    PUBLIC_URL,
    AUTH_KEY: TEST_AUTH_KEY,
    ADDRESS_KEY: 'a'.repeat(32),
    CURSOR_KEY: 'c'.repeat(32),
    SHARE_KEY: 's'.repeat(32),
    CHANNEL_KEY: 'k'.repeat(32),
    MAIL_URL: `${PUBLIC_URL}/nowhere`,
    MAIL_TOKEN: 'none',
    MAIL_FROM: 'Vendor <no-reply@vendor.example>',
    // The cron sends what waits.
    SENDER: { send: async () => {} },
    FIGURES: {
      fetch: (...of: ConstructorParameters<typeof Request>) => MailFigures.fetch(new Request(...of), env),
    },
    INGEST: {
      fetch: (...of: ConstructorParameters<typeof Request>) =>
        functions.messages.fetch(new Request(...of), env),
    },
  };
  const raw: Ask['raw'] = async (method, path, body, { token, cookie } = {}) => {
    const name = ROUTES.find(([pattern]) => pattern.test(path))?.[1];
    if (name === undefined) throw new Error(`Nothing answers ${path}`);
    return functions[name].fetch(
      new Request(`${PUBLIC_URL}${path}`, {
        method,
        headers: {
          Origin: PUBLIC_URL,
          'Content-Type': 'application/json',
          ...(path.startsWith('/api/v1/sites') || path.startsWith('/v1/')
            ? { Authorization: `Bearer ${token}` }
            : { Cookie: cookie ?? '' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
      env,
    );
  };
  const ask = async <T>(by: Caller, method: string, path: string, body?: unknown): Promise<T> => {
    const response = await raw(method, path, body, by);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    // An export is text with one or more lines.
    return JSON.parse(text.startsWith('{') ? text : JSON.stringify(text));
  };
  const realNow = Date.now;
  return {
    sql: connectDatabase(neon),
    env,
    neon,
    at: (instant) => {
      Date.now = () => instant;
    },
    ask: Object.assign(ask, { raw }),
    close: async () => {
      Date.now = realNow;
      await Promise.all([neon.close(), upstash.close()]);
    },
  };
}

/** Creates a session of a person. Returns the `Cookie` header. */
export async function signIn(sql: Sql, userId: string): Promise<string> {
  const { cookie, hash } = await createCookie();
  await sql`
    insert into user_sessions (user_id, hash, expires_at)
    values (${userId}, decode(${hash}, 'hex'), now() + interval '1 hour')`;
  return cookie;
}
