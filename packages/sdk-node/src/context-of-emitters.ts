import { EventEmitter } from 'node:events';
import type { Context, ContextManager } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';

const BOUND = Symbol('bound to a context');

interface Bound extends EventEmitter {
  [BOUND]?: true;
}

/**
 * Listeners of a bound emitter run in its context. OpenTelemetry's own manager replaces eight methods of each request and response, and
 * wraps each listener; here only `emit` is replaced, which an emitter calls less often than it is listened to.
 */
export class ContextOfEmitters extends AsyncLocalStorageContextManager {
  override bind<T>(context: Context, target: T): T {
    if (!(target instanceof EventEmitter)) return super.bind(context, target);
    bindEmitter(this, context, target);
    return target;
  }
}

/** Listeners of the emitter run in the context; the first one stays. `before` gets each event ahead of them, with its first argument. */
export function bindEmitter(
  manager: Pick<ContextManager, 'active' | 'with'>,
  context: Context,
  emitter: Bound,
  before?: (event: string | symbol, value: unknown) => void,
): void {
  if (emitter[BOUND] && before === undefined) return;
  emitter[BOUND] = true;
  const { emit } = emitter;
  emitter.emit = function (this: EventEmitter, ...args: Parameters<typeof emit>): boolean {
    before?.(args[0], args[1]);
    return manager.active() === context
      ? emit.apply(this, args)
      : manager.with(context, () => emit.apply(this, args));
  };
}
