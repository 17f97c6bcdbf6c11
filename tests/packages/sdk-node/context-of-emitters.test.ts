/** Listeners of bound emitters: the same calls, in the same contexts, as with OpenTelemetry's own manager. */
import { EventEmitter } from 'node:events';
import { createContextKey, ROOT_CONTEXT } from '@opentelemetry/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContextOfEmitters } from '../../../packages/sdk-node/src/context-of-emitters.ts';

/** OpenTelemetry's own. */
const Official = Object.getPrototypeOf(ContextOfEmitters) as typeof ContextOfEmitters;

const KEY = createContextKey('which');
const named = (name: string) => ROOT_CONTEXT.setValue(KEY, name);

const ADDING = ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'] as const;
const REMOVING = ['off', 'removeListener'] as const;
const event = fc.constantFrom('data', 'end', 'error');
const listener = fc.nat({ max: 3 });
const step = fc.oneof(
  fc.record({ how: fc.constantFrom(...ADDING, ...REMOVING), event, listener }),
  fc.record({ how: fc.constantFrom('emit', 'emitElsewhere'), event }),
  fc.record({ how: fc.constant('removeAll'), event: fc.option(event, { nil: undefined }) }),
  fc.record({ how: fc.constant('bindAgain') }),
);
type Step = { how: string; event?: string | undefined; listener?: number };

/**
 * What the listeners saw, and what each step gave. A listener is added to an event once at most: OpenTelemetry's manager loses track of
 * the first of two, and Node.js doesn't.
 */
function play(manager: ContextOfEmitters, steps: readonly Step[]): unknown[] {
  const seen: unknown[] = [];
  const added = new Set<string>();
  const isNew = (key: string): boolean => added.size < added.add(key).size;
  const active = () => manager.active().getValue(KEY);
  const emitter = manager.bind(named('request'), new EventEmitter());
  const listeners = [0, 1, 2, 3].map(
    (n) =>
      function (this: unknown, ...args: unknown[]) {
        seen.push([n, active(), this === emitter, ...args]);
        if (n === 3) throw new Error('a listener');
        // One that ends itself, and one that emits.
        if (n === 2) emitter.off('data', listeners[2] as () => void);
        if (n === 1 && args[0] !== 'inner') emitter.emit('end', 'inner');
      },
  );
  steps.forEach(({ how, event: name = 'data', listener: n = 0 }, at) => {
    try {
      if (how === 'emit') seen.push(emitter.emit(name, at, 'two'));
      else if (how === 'emitElsewhere')
        manager.with(named('elsewhere'), () => seen.push(emitter.emit(name, at), active()));
      else if (how === 'removeAll') emitter.removeAllListeners(name);
      else if (how === 'bindAgain') manager.bind(named('another'), emitter);
      else if (REMOVING.some((one) => one === how) || isNew(`${name} ${n}`))
        emitter[how as 'on'](name, listeners[n] as () => void);
    } catch (error) {
      seen.push(String(error));
    }
    seen.push(emitter.listenerCount(name), active());
  });
  return seen;
}

test('any listeners, added, removed and called in any order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      expect(play(new ContextOfEmitters(), steps)).toEqual(play(new Official(), steps));
    }),
    { numRuns: 500 },
  );
});

test('a listener that was added twice ends itself twice, as without a context', () => {
  const counts = [new EventEmitter(), new ContextOfEmitters().bind(named('request'), new EventEmitter())].map(
    (emitter) => {
      const endItself = (): void => void emitter.off('data', endItself);
      emitter.on('data', endItself).on('data', endItself).emit('data');
      return emitter.listenerCount('data');
    },
  );
  expect(counts).toEqual([0, 0]);
});

test('an emitter has its own listeners, not wrapped ones', () => {
  const emitter = new ContextOfEmitters().bind(named('request'), new EventEmitter());
  const listen = () => {};
  emitter.on('data', listen);
  expect(emitter.listeners('data')).toEqual([listen]);
});

test('functions are bound as ever', () => {
  const manager = new ContextOfEmitters();
  const bound = manager.bind(named('request'), (a: number) => [a, manager.active().getValue(KEY)]);
  expect(bound(1)).toEqual([1, 'request']);
});
