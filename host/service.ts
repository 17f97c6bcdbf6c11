/** The service within this process: its stores, and the functions over them. */
import { randomBytes } from 'node:crypto';
import { CONTENT_PLACEHOLDER_HOST, type FunctionSpec } from '../tooling/deployment.ts';
import { openEgress } from '../tooling/egress.ts';
import type { Answer } from '../tooling/endpoint/serve.ts';
import { type OpenNeon, openNeon } from '../tooling/neon/start-neon.ts';
import type { Secrets } from './data-folder.ts';
import { type Functions, loadFunctions, type SendToQueue } from './functions.ts';
import type { Settings } from './settings.ts';
import { answerMail, type TakeMail } from './stores/mail.ts';
import { serveOutbound } from './stores/outbound.ts';

/** The Redis of all functions, and the one of the day's salt. */
export type RedisName = 'redis' | 'salt';

/** Answers a request of the Redis client: its path, its body and its `Upstash-Encoding`. */
export type AskRedis = (
  name: RedisName,
  path: string,
  body: string,
  encoding: string | undefined,
) => Promise<Answer>;

export interface ServiceOptions {
  settings: Settings;
  secrets: Secrets;
  functions: readonly FunctionSpec[];
  /** The folder that `buildFunctions` wrote. */
  built: string;
  database: { url: string; connections: number };
  askRedis: AskRedis;
  takeMail: TakeMail;
  send: SendToQueue;
  /** Called with each answer of a function. */
  onAnswer(fn: string, status: number): void;
}

export interface Service extends Omit<Functions, 'fetch'> {
  neon: OpenNeon;
  /** Answers a request from outside. `host` is in lower case, with its port. */
  answer(request: Request, host: string): Promise<Response>;
  close(): Promise<void>;
}

/** The addresses exist within this process alone (RFC 6761). */
const originOf = (store: string, id: string): string => `http://${store}-${id}.invalid`;

export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, secrets, functions, built, database, askRedis, takeMail, send, onAnswer } = options;
  const neon = await openNeon({ database: { url: database.url }, connections: database.connections });
  const id = randomBytes(6).toString('hex');
  const token = randomBytes(16).toString('hex');
  const egress = openEgress({ loopback: settings.LOOPBACK_RECEIVERS });
  const closers = [
    serveOutbound(originOf('database', id), async ({ headers, body }) =>
      asResponse(await neon.answer(headers, body)),
    ),
    ...(['redis', 'salt'] as const).map((name) =>
      serveOutbound(originOf(name, id), async ({ path, headers, body }) =>
        headers.authorization === `Bearer ${token}`
          ? asResponse(await askRedis(name, path, body, headers['upstash-encoding']))
          : new Response('{"error":"WRONGPASS"}', { status: 401 }),
      ),
    ),
    serveOutbound(originOf('mail', id), async ({ headers, body }) =>
      headers.authorization === `Bearer ${token}`
        ? answerMail(takeMail, body)
        : new Response(null, { status: 401 }),
    ),
    serveOutbound(originOf('egress', id), async ({ headers, body }) =>
      headers.authorization === `Bearer ${token}`
        ? Response.json(await egress(JSON.parse(body)))
        : new Response(null, { status: 401 }),
    ),
  ];
  const databaseHost = `database-${id}.invalid:5432`;
  const loaded = await loadFunctions({
    ...{ functions, built, send, onAnswer },
    values: {
      ...secrets,
      ...textSettings(settings),
      DATABASE_HTTP_ENDPOINT: `${originOf('database', id)}/sql`,
      UPSTASH_REDIS_REST_URL: originOf('redis', id),
      UPSTASH_REDIS_REST_TOKEN: token,
      SALT_REDIS_REST_URL: originOf('salt', id),
      SALT_REDIS_REST_TOKEN: token,
      MAIL_URL: `${originOf('mail', id)}/`,
      MAIL_TOKEN: token,
      EGRESS_URL: `${originOf('egress', id)}/`,
      EGRESS_TOKEN: token,
      MAIL_DELIVERY: settings.SMTP_URL === undefined ? 'kept' : 'sent',
    },
    // Each function has the rights of its own role, as on the edge.
    valuesOf: (fn) => ({ DATABASE_URL: neon.urlOf(`vendor_${fn}`, databaseHost) }),
  });
  const contentHost = new URL(settings.CONTENT_URL).host;
  const content = functions.find(({ routes }) =>
    routes.some((route) => route.startsWith(`${CONTENT_PLACEHOLDER_HOST}/`)),
  );
  const { fetch, ...others } = loaded;
  return {
    ...others,
    neon,
    answer: (request, host) =>
      fetch(content !== undefined && host === contentHost ? content.fn : 'gateway', request),
    close: async () => {
      await loaded.idle();
      for (const close of closers) close();
      await neon.close();
    },
  };
}

/** The settings that functions read under the same names. */
function textSettings(settings: Settings): Record<string, string> {
  const {
    PUBLIC_URL,
    CONTENT_URL,
    SIGN_UP,
    LOOPBACK_RECEIVERS,
    AUTH_KEY_OLD,
    BOT_EXCEPTIONS,
    NETWORK_EXCEPTIONS,
    ALLOWED_ORIGINS,
  } = settings;
  const given = {
    ...{
      PUBLIC_URL,
      CONTENT_URL,
      SIGN_UP,
      LOOPBACK_RECEIVERS,
      AUTH_KEY_OLD,
      BOT_EXCEPTIONS,
      NETWORK_EXCEPTIONS,
      ALLOWED_ORIGINS,
    },
    MAIL_FROM: settings.MAIL_FROM ?? `Vendor <no-reply@${new URL(PUBLIC_URL).hostname}>`,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const asResponse = ({ status, body }: Answer): Response =>
  new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
