import { EventEmitter } from 'node:events';
import type { Context } from '@opentelemetry/api';
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
    const emitter: Bound = target;
    // The first context stays.
    if (emitter[BOUND]) return target;
    emitter[BOUND] = true;
    const { emit } = emitter;
    const manager = this;
    emitter.emit = function (this: EventEmitter, ...args: Parameters<typeof emit>): boolean {
      return manager.active() === context
        ? emit.apply(this, args)
        : manager.with(context, () => emit.apply(this, args));
    };
    return target;
  }
}
