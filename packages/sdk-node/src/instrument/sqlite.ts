/** CLIENT spans of statements that node:sqlite executes, and of those that it can't prepare. */
import { basename } from 'node:path';
import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { spanOfSql } from '../sql/describe-sql.ts';

// biome-ignore lint/suspicious/noExplicitAny: methods of another module, of any arguments.
type Method = (this: object, ...args: any[]) => unknown;
type Methods = Record<string, Method>;

interface Statement {
  sql: string;
  namespace: string | undefined;
}

/** Statements and tag stores by their objects. */
const statements = new WeakMap<object, Statement>();
const namespaces = new WeakMap<object, string | undefined>();

/** Wraps the module's methods. Does nothing where the runtime has no node:sqlite. Returns what undoes it. */
export function watchSqlite(tracer: Tracer): () => void {
  const sqlite = loadSqlite();
  if (sqlite === undefined) return () => {};
  const undo: (() => void)[] = [];
  const wrap = (prototype: object, name: string, make: (original: Method) => Method): void => {
    const methods = prototype as Methods;
    const original = methods[name];
    if (typeof original !== 'function') return;
    methods[name] = make(original);
    undo.push(() => {
      methods[name] = original;
    });
  };
  const database = sqlite.DatabaseSync.prototype;
  const statement = sqlite.StatementSync.prototype;

  wrap(
    database,
    'exec',
    (original) =>
      function exec(sql, ...rest) {
        return execute(tracer, { sql, namespace: namespaceOf(this) }, () =>
          original.call(this, sql, ...rest),
        );
      },
  );
  wrap(
    database,
    'prepare',
    (original) =>
      function prepare(sql, ...rest) {
        const about = { sql, namespace: namespaceOf(this) };
        try {
          const prepared = original.call(this, sql, ...rest) as object;
          statements.set(prepared, about);
          return prepared;
        } catch (error) {
          // What can't be prepared is never executed: this is its only trace.
          endSpan(startSpan(tracer, about), error);
          throw error;
        }
      },
  );
  for (const name of ['run', 'get', 'all'])
    wrap(
      statement,
      name,
      (original) =>
        function (...args) {
          return execute(tracer, statements.get(this), () => original.apply(this, args));
        },
    );
  wrap(
    statement,
    'iterate',
    (original) =>
      function (...args) {
        return iterate(tracer, statements.get(this), () => original.apply(this, args));
      },
  );

  let tagged = false;
  wrap(
    database,
    'createTagStore',
    (original) =>
      function createTagStore(...args) {
        const store = original.apply(this, args) as object;
        namespaces.set(store, namespaceOf(this));
        // The module doesn't give away the class of its stores.
        if (!tagged) wrapStore(Object.getPrototypeOf(store));
        tagged = true;
        return store;
      },
  );
  function wrapStore(store: object): void {
    for (const name of ['run', 'get', 'all', 'iterate'])
      wrap(
        store,
        name,
        (original) =>
          function (strings, ...values) {
            const sql = Array.isArray(strings) ? strings.join('?') : '';
            const about = { sql, namespace: namespaces.get(this) };
            const call = (): unknown => original.call(this, strings, ...values);
            return name === 'iterate' ? iterate(tracer, about, call) : execute(tracer, about, call);
          },
      );
  }
  return () => {
    for (const one of undo) one();
  };
}

/** Node.js 22 warns whoever loads the module first, which would be the SDK, also where the application never uses it. */
function loadSqlite(): typeof import('node:sqlite') | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The file's name, without its folder. */
function namespaceOf(database: object): string | undefined {
  if (namespaces.has(database)) return namespaces.get(database);
  let namespace: string | undefined;
  try {
    const location = (database as { location?: () => string | null }).location?.();
    namespace = location ? basename(location) : ':memory:';
  } catch {
    return undefined;
  }
  namespaces.set(database, namespace);
  return namespace;
}

function startSpan(tracer: Tracer, statement: Statement | undefined): Span {
  const { name, attributes } = spanOfSql(String(statement?.sql ?? ''), 'sqlite');
  if (statement?.namespace !== undefined) attributes['db.namespace'] = statement.namespace;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** SQLite's messages name tables and values, so only the code and its standard text are reported. */
function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    const { errcode, errstr, code, name } = error as Record<string, unknown>;
    const type = errcode ?? code ?? name ?? 'Error';
    if (errcode !== undefined) span.setAttribute('db.response.status_code', String(errcode));
    span.setAttribute('error.type', String(type));
    span.setStatus({
      code: SpanStatusCode.ERROR,
      ...(typeof errstr === 'string' && { message: errstr }),
    });
  }
  span.end();
}

function execute<T>(tracer: Tracer, statement: Statement | undefined, run: () => T): T {
  const span = startSpan(tracer, statement);
  try {
    const result = run();
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}

/** The span ends with the last row, an error, or the end of the loop. */
function iterate(tracer: Tracer, statement: Statement | undefined, run: () => unknown): unknown {
  const span = startSpan(tracer, statement);
  let ended = false;
  const end = (error?: unknown): void => {
    if (!ended) endSpan(span, error);
    ended = true;
  };
  try {
    const rows = run() as Iterator<unknown>;
    for (const name of ['next', 'return', 'throw'] as const) {
      const original = rows[name];
      if (typeof original !== 'function') continue;
      Object.defineProperty(rows, name, {
        configurable: true,
        writable: true,
        value: (...args: []) => {
          try {
            const step = original.apply(rows, args);
            if (step.done || name === 'return') end();
            return step;
          } catch (error) {
            end(error);
            throw error;
          }
        },
      });
    }
    return rows;
  } catch (error) {
    end(error);
    throw error;
  }
}
