import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type pg from 'pg';
import type { DriverFetch } from '../../lib/db.ts';
import { readBody } from '../endpoint/receive-body.ts';
import { type Answer, serve } from '../endpoint/serve.ts';
import { type Database, type DatabaseChoice, openDatabase } from './connect-database.ts';
import { BadRequest, failureAnswer, tooLarge, unknownPath, wrongPassword } from './neon-errors.ts';
import { parseWork } from './parse-work.ts';
import { resultBody } from './result-body.ts';
import { run } from './run-work.ts';
import { type StatementNames, statementNames } from './statement-names.ts';

/** The user who has all rights. */
export const OWNER = 'local';

/** Neon's own limits for requests and responses. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A database that answers the driver's protocol within this process. */
export interface OpenNeon {
  /** Answers one request of the driver. */
  answer(headers: IncomingHttpHeaders, body: string): Promise<Answer>;
  /** The same as the driver's `fetch`: it saves each query a connection's work, and knows no deadline. */
  fetch: DriverFetch;
  /** The connection string that the driver must send at `host` for the rights of a role; `OWNER` has all rights. */
  urlOf(role: string, host: string): string;
  /** Runs a script of any number of statements in one transaction. */
  exec(sqlScript: string): Promise<void>;
  /** Lends a connection of its own, which `applySchema` needs. */
  withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The same with an address. */
export interface Neon extends Omit<OpenNeon, 'answer' | 'urlOf'> {
  /** The value for `neonConfig.fetchEndpoint`. */
  endpoint: string;
  /** The connection string that the driver must send: it has all rights. */
  url: string;
  /** The same for somebody with the rights of a role. */
  urlOf(role: string): string;
}

export interface NeonOptions {
  database: DatabaseChoice;
  port?: number;
  /** Maximum number of connections to a real PostgreSQL. Default: 20. */
  connections?: number;
  /**
   * `one`, the default: this endpoint's own password opens every role. `server`: each user signs in at the real PostgreSQL with the
   * password of the connection string, as at Neon.
   */
  passwords?: 'one' | 'server';
}

/**
 * Neon's SQL over HTTP on a loopback address, with an embedded or a real PostgreSQL behind it. Throws if the database can't be opened.
 * If it is unreachable later, the driver gets 503.
 */
export async function startNeon(options: NeonOptions): Promise<Neon> {
  const { answer, close, ...within } = await openNeon(options);
  const endpoint = await serve(options.port ?? 0, async (request) => {
    if (request.method !== 'POST' || request.url !== '/sql') return unknownPath();
    const body = await readBody(request, MAX_BYTES);
    if ('text' in body) return answer(request.headers, body.text);
    return body.refused === 'size' ? tooLarge('request', MAX_BYTES) : failureAnswer(notUtf8());
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const { host } = new URL(endpoint.origin);
  return {
    ...within,
    endpoint: `${endpoint.origin}/sql`,
    url: within.urlOf(OWNER, host),
    urlOf: (role) => within.urlOf(role, host),
    close: async () => {
      await endpoint.close();
      await close();
    },
  };
}

/** The same within this process, without an address. Throws if the database can't be opened. */
export async function openNeon(options: NeonOptions): Promise<OpenNeon> {
  const { pool, close: closePool } = await openDatabase(options.database, options.connections);
  const names = statementNames();
  const password = randomBytes(16).toString('hex');
  const readUser = userReader(password);
  const server = options.passwords === 'server' ? signInAtServer(options.database) : undefined;

  const answer = async (headers: IncomingHttpHeaders, body: string): Promise<Answer> => {
    const header = headers['neon-connection-string'];
    if (server !== undefined) {
      const own = await server.poolOf(header);
      return own === undefined ? wrongPassword() : work(own, names, undefined, headers, body);
    }
    const user = readUser(header);
    if (user === undefined) return wrongPassword();
    return work(pool, names, user === OWNER ? undefined : user, headers, body);
  };
  return {
    answer,
    fetch: async (_, { headers, body }) => {
      const { status, body: text } = await answer(Object.fromEntries(new Headers(headers)), String(body));
      return { ok: status === 200, status, json: async () => JSON.parse(text), text: async () => text };
    },
    urlOf: (role, host) => `postgres://${role}:${password}@${host}/local`,
    exec: async (sqlScript) => {
      await pool.query(sqlScript);
    },
    withClient: async (use) => {
      const client = await pool.connect();
      try {
        return await use(client);
      } finally {
        client.release();
      }
    },
    close: async () => {
      await Promise.all([closePool(), server?.close()]);
    },
  };
}

const notUtf8 = () => new BadRequest('could not parse the HTTP request body: not UTF-8');

/** Runs the statements of a request with the rights of a role. */
async function work(
  pool: pg.Pool,
  names: StatementNames,
  role: string | undefined,
  headers: IncomingHttpHeaders,
  body: string,
): Promise<Answer> {
  try {
    const asked = parseWork(body, headers);
    const statements = asked.kind === 'single' ? [asked.statement] : asked.statements;
    const results = (await run(pool, names, asked, role)).map((result, i) => {
      const statement = statements[i];
      return statement === undefined ? result : resultBody(result, statement);
    });
    const text = JSON.stringify(asked.kind === 'single' ? results[0] : { results });
    return text.length > MAX_BYTES ? tooLarge('response', MAX_BYTES) : { status: 200, body: text };
  } catch (error) {
    return failureAnswer(error);
  }
}

/** The user of a connection string with the right password; undefined for another one. Each function sends the same string every time. */
function userReader(password: string): (header: string | string[] | undefined) => string | undefined {
  const known = new Map<string, string>();
  return (header) => {
    if (typeof header !== 'string') return undefined;
    const user = known.get(header);
    if (user !== undefined) return user;
    if (!URL.canParse(header) || new URL(header).password !== password) return undefined;
    known.set(header, new URL(header).username);
    return known.get(header);
  };
}

/** Connections of each user, with the user's own password. */
function signInAtServer(choice: DatabaseChoice) {
  if (typeof choice !== 'object' || !('url' in choice))
    throw new Error('Only a real PostgreSQL knows passwords of roles.');
  const known = new Map<string, Promise<Database>>();
  return {
    poolOf: async (header: string | string[] | undefined): Promise<pg.Pool | undefined> => {
      if (typeof header !== 'string' || !URL.canParse(header)) return undefined;
      const url = new URL(choice.url);
      const { username, password } = new URL(header);
      Object.assign(url, { username, password });
      let database = known.get(url.href);
      if (database === undefined) {
        database = openDatabase({ url: url.href });
        known.set(url.href, database);
      }
      try {
        return (await database).pool;
      } catch {
        known.delete(url.href);
        return undefined;
      }
    },
    close: async (): Promise<void> => {
      const opened = await Promise.allSettled(known.values());
      await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.close()));
    },
  };
}
