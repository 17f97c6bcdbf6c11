import { type Context, type Span, trace } from '@opentelemetry/api';
import { type RPCMetadata, setRPCMetadata } from '@opentelemetry/core';

/** What OpenTelemetry stores something under. No package exports its keys. */
function keyOf(store: (context: Context) => void): symbol {
  let key: symbol | undefined;
  const context: Context = {
    getValue: () => undefined,
    setValue: (given) => {
      key = given;
      return context;
    },
    deleteValue: () => context,
  };
  store(context);
  if (key === undefined) throw new Error('OpenTelemetry stores nothing in a context.');
  return key;
}

const SPAN = keyOf((context) => trace.setSpan(context, trace.wrapSpanContext({} as never)));
const METADATA = keyOf((context) => setRPCMetadata(context, {} as RPCMetadata));

/** The context of a request: instead of two copies of a map, and of three functions for each. */
export class RequestContext implements Context {
  readonly #parent: Context;
  readonly #span: Span;
  readonly #metadata: RPCMetadata;

  constructor(parent: Context, span: Span, metadata: RPCMetadata) {
    this.#parent = parent;
    this.#span = span;
    this.#metadata = metadata;
  }

  getValue(key: symbol): unknown {
    if (key === SPAN) return this.#span;
    if (key === METADATA) return this.#metadata;
    return this.#parent.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return this.#copy().setValue(key, value);
  }

  deleteValue(key: symbol): Context {
    return this.#copy().deleteValue(key);
  }

  #copy(): Context {
    return setRPCMetadata(trace.setSpan(this.#parent, this.#span), this.#metadata);
  }
}
