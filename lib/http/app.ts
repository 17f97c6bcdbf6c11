import type { Context, MiddlewareHandler } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { routePath } from 'hono/route';
import { TrieRouter } from 'hono/router/trie-router';
import { getPath } from 'hono/utils/url';
import type * as v from 'valibot';
import { type DomainError, forReader } from '../errors.ts';
import { type EnvSchema, prepareOnce } from './env.ts';
import { envelopeOf, errorHeaders, statusOf, toDomainError } from './http-errors.ts';
import { setLateHeader } from './late-header.ts';
import { causesOf, type Log, type LogLine, logToConsole } from './log.ts';
import { methodsOf, noRoute } from './not-found.ts';
import { requestIdOf } from './request-id.ts';
import { setSecurityHeaders } from './security-headers.ts';

export interface Variables<Env, Resources> {
  requestId: string;
  /** The parsed variables and secrets. */
  env: Env;
  /** What the function made once for this isolate. */
  resources: Resources;
  /** Fields that an error's body gets beside `error` and `message`, as soon as they are known. */
  errorFields?: Record<string, unknown>;
}

export interface AppEnv<Bindings extends object, Env, Resources> {
  Bindings: Bindings;
  Variables: Variables<Env, Resources>;
}

export interface AppOptions<Schema extends EnvSchema, Bindings extends object, Resources> {
  /** The function's name in the log. */
  name: string;
  env: Schema;
  /** Makes connections, limiters and caches from the parsed env, once per isolate. Does no I/O. */
  resources: (env: v.InferOutput<Schema>, bindings: Bindings) => Resources;
  log?: Log;
  /** Whether successful requests are logged too. Default: yes. */
  logSuccess?: boolean;
  /** Makes the body of an error. Default: the envelope of docs/api.md#errors. */
  errorBody?: (error: DomainError) => object;
  /** Answers a path that no route has. Undefined: the caller gets the error `NOT_FOUND`. */
  unknownPath?: (c: Context) => Promise<Response> | undefined;
}

/**
 * A Hono app with everything that functions share (docs/api.md): env parsed before anything else, request ids, the error envelope, 404 and
 * 405, security headers, one log line per request (see `logSuccess`).
 */
export function createApp<Schema extends EnvSchema, Bindings extends object, Resources>(
  options: AppOptions<Schema, Bindings, Resources>,
): HonoBase<AppEnv<Bindings, v.InferOutput<Schema>, Resources>> {
  type E = AppEnv<Bindings, v.InferOutput<Schema>, Resources>;
  const { name, log = logToConsole, logSuccess = true, errorBody = envelopeOf } = options;
  const prepare = prepareOnce(options.env, options.resources);
  // The default app bundles more routers (1 KiB); a function has few routes. Hono's presets ignore a slash at the end of a path.
  const app = new HonoBase<E>({
    router: new TrieRouter(),
    // The router takes a `*` of a path for its own, and would run what is for all paths twice.
    getPath: (request) => getPath(request).replaceAll('*', '%2A'),
  });
  const methods = methodsOf(app);

  const observe: MiddlewareHandler<E> = async function observe(c, next) {
    const startedAt = performance.now();
    const requestId = requestIdOf(c.req.raw.headers.get('x-request-id'));
    c.set('requestId', requestId);
    try {
      const prepared = prepare(c.env);
      c.set('env', prepared.env);
      c.set('resources', prepared.resources);
      await next();
    } catch (error) {
      c.error = asError(error);
      c.res = answerError(c, toDomainError(error), errorBody);
    }
    setLateHeader(c, 'X-Request-Id', requestId);
    setSecurityHeaders(c.res.headers);
    if (logSuccess || c.res.status >= 400) log(lineOf(name, c, requestId, performance.now() - startedAt));
  };

  app.use('*', observe);
  app.notFound((c) => {
    const allowed = methods(c.req.path);
    const page = allowed.length === 0 ? options.unknownPath?.(c) : undefined;
    if (page !== undefined) return page;
    const response = answerError(c, noRoute(allowed), errorBody);
    if (allowed.length > 0) response.headers.set('Allow', allowed.join(', '));
    return response;
  });
  app.onError((error, c) => answerError(c, toDomainError(error), errorBody));
  return app;
}

function answerError(c: Context, thrown: DomainError, bodyOf: (error: DomainError) => object): Response {
  const error = ['GET', 'HEAD'].includes(c.req.method) ? forReader(thrown) : thrown;
  const body = { ...bodyOf(error), ...(c.get('errorFields') as Record<string, unknown> | undefined) };
  return c.json(body, statusOf(error.code), errorHeaders(error));
}

function asError(error: unknown): Error {
  return error instanceof Error
    ? error
    : new Error('Something that is no Error was thrown.', { cause: error });
}

function lineOf(name: string, c: Context, requestId: string, durationMs: number): LogLine {
  const route = routePath(c, -1);
  const line: LogLine = {
    level: c.res.status >= 500 ? 'error' : 'info',
    function: name,
    event: 'request',
    requestId,
    method: c.req.method,
    route: route === '/*' ? null : route,
    status: c.res.status,
    durationMs: Math.round(durationMs * 10) / 10,
  };
  if (c.error === undefined) return line;
  line.error = toDomainError(c.error).code;
  const causes = causesOf(c.error);
  return causes.length === 0 ? line : { ...line, causes };
}
