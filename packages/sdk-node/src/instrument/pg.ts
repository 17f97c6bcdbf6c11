/** CLIENT spans of statements that `pg` executes. The kept instrumentation finds the module and measures pools; queries are ours. */
import {
  type Attributes,
  context,
  type HrTime,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { spanOfSql } from '../sql/describe-sql.ts';

// biome-ignore lint/suspicious/noExplicitAny: what an application gives to pg.
type Any = any;
type End = (error?: unknown) => void;

/**
 * What the kept instrumentation does with queries is replaced: it sends their text with its values, names spans after it, tells PostgreSQL's
 * messages, which repeat values, and never ends spans of cursors.
 */
export class PgSpans extends PgInstrumentation {
  constructor() {
    super({ ignoreConnectSpans: true });
  }

  startSpan(name: string, attributes: Attributes): Span {
    return this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  }
}

/** What the types of the kept instrumentation hide. */
interface Durations {
  recordOperationDuration(attributes: Attributes, start: HrTime): void;
}

Object.defineProperty(PgSpans.prototype, '_getClientQueryPatch', {
  value(this: PgSpans) {
    const spans = this;
    return (original: (...args: Any[]) => Any) =>
      function query(this: Any, ...args: Any[]): unknown {
        const end = startSpan(spans, this, args[0]);
        try {
          if (typeof args[0]?.submit === 'function') watchSubmitted(args[0], end);
          else watchCallback(args, end);
          const result = original.apply(this, args);
          // The promise that pg made must not count as handled where the application doesn't handle it.
          return typeof result?.then === 'function' && typeof args[0]?.submit !== 'function'
            ? watchPromise(result, end)
            : result;
        } catch (error) {
          end(error);
          throw error;
        }
      };
  },
});

function startSpan(spans: PgSpans, client: Any, query: Any): End {
  const { name, attributes } = spanOfSql(textOf(query), 'postgresql');
  const { database, host, port } = client.connectionParameters ?? {};
  if (database) attributes['db.namespace'] = String(database);
  if (host) attributes['server.address'] = String(host);
  if (Number.isInteger(port)) attributes['server.port'] = port;
  const startTime = hrTime();
  const span = spans.startSpan(name, attributes);
  let ended = false;
  return (error) => {
    if (ended) return;
    ended = true;
    if (error !== undefined && error !== null) {
      const { code, name: kind } = error as { code?: unknown; name?: unknown };
      attributes['error.type'] = String(code ?? kind ?? 'Error');
      span.setAttribute('error.type', attributes['error.type']);
      if (typeof code === 'string') span.setAttribute('db.response.status_code', code);
      span.setStatus({ code: SpanStatusCode.ERROR, message: `PostgreSQL: ${attributes['error.type']}` });
    }
    (spans as unknown as Durations).recordOperationDuration(attributes, startTime);
    span.end();
  };
}

/** Of a cursor and a query stream the text is in the object, of some in the cursor within. */
function textOf(query: Any): string {
  const text = typeof query === 'string' ? query : (query?.text ?? query?.cursor?.text);
  return typeof text === 'string' ? text : '';
}

/** The application's callback, wherever it stands, ends the span first. */
function watchCallback(args: Any[], end: End): void {
  const wrap = (callback: Any): Any => {
    const bound = trace.getActiveSpan() ? context.bind(context.active(), callback) : callback;
    return function (this: unknown, error: unknown, ...rest: unknown[]) {
      end(error);
      return bound.call(this, error, ...rest);
    };
  };
  const last = args.length - 1;
  if (typeof args[last] === 'function') args[last] = wrap(args[last]);
  else if (typeof args[0]?.callback === 'function')
    args[0] = Object.assign(Object.create(args[0]), { callback: wrap(args[0].callback) });
}

/** Of pg, or of the library that the application gave it. */
const watchPromise = (result: PromiseLike<unknown>, end: End): PromiseLike<unknown> =>
  result.then(
    (value) => {
      end();
      return value;
    },
    (error) => {
      end(error);
      throw error;
    },
  );

/** What pg calls of a cursor, a query stream or a `pg.Query`, out of which these call the application. */
const CALLED = ['handleDataRow', 'handlePortalSuspended', 'handleReadyForQuery', 'handleError'] as const;

/** pg tells them when the server is ready again, and of errors. What they call in the application has the caller's span. */
function watchSubmitted(query: Any, end: End): void {
  const caller = context.active();
  const bind = trace.getActiveSpan() ? (method: Any): Any => context.bind(caller, method) : undefined;
  for (const name of CALLED) {
    const original = query[name];
    if (typeof original !== 'function') continue;
    const bound = bind?.(original) ?? original;
    if (name === 'handleReadyForQuery' || name === 'handleError')
      query[name] = function (this: unknown, ...args: unknown[]) {
        end(name === 'handleError' ? args[0] : undefined);
        return bound.apply(this, args);
      };
    else if (bind) query[name] = bound;
  }
}
