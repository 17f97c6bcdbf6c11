import { describe, expect, test } from 'vitest';
import {
  BURST_MS,
  type Deliver,
  foldOrQueue,
  GIVE_UP_MS,
  LEAST_MS,
  PAUSE_MS,
  SLOW_MS,
} from '../../../lib/collection/fold-or-queue.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';

const MESSAGES: TrackMessage[] = [];

/** An isolate with a test version of everything outside of it: folds that end when the test says so, a queue, and a clock. */
function makeIsolate() {
  const isolate = {
    now: 1_000_000,
    queued: 0,
    queueIsAway: false,
    reports: [] as unknown[],
    /** The folds that began, oldest first. */
    folds: [] as PromiseWithResolvers<void>[],
    deliver: (() => Promise.reject(new Error('not made yet'))) as Deliver,
    /** Delivers a message whose fold takes this time and ends like this. Returns the ways that the message took. */
    async pass(outcome: 'stored' | 'failed', ms: number): Promise<string> {
      const before = [isolate.folds.length, isolate.queued] as const;
      const delivered = isolate.deliver(MESSAGES);
      if (isolate.folds.length > before[0]) {
        isolate.now += ms;
        if (outcome === 'stored') isolate.folds.at(-1)?.resolve();
        else isolate.folds.at(-1)?.reject(new Error('away'));
      }
      await delivered;
      const ways = [isolate.folds.length > before[0] && 'fold', isolate.queued > before[1] && 'queue'];
      return ways.filter(Boolean).join(', ');
    },
  };
  isolate.deliver = foldOrQueue({
    fold: () => {
      const fold = Promise.withResolvers<void>();
      isolate.folds.push(fold);
      return fold.promise;
    },
    enqueue: async () => {
      if (isolate.queueIsAway) throw new Error('the queue is away');
      isolate.queued += 1;
    },
    now: () => isolate.now,
    report: (fault) => isolate.reports.push(fault),
  });
  return isolate;
}

type Step = [wait: number, outcome: 'stored' | 'failed', ms: number, ways: string];

test.each<[string, Step[]]>([
  [
    'all is well',
    [
      [0, 'stored', 5, 'fold'],
      [0, 'stored', SLOW_MS, 'fold'],
      [1, 'stored', 5, 'fold'],
    ],
  ],
  [
    'a fold that fails is queued, and what comes after it, until the pause is over',
    [
      [0, 'failed', 5, 'fold, queue'],
      [0, 'stored', 5, 'queue'],
      [PAUSE_MS - 1, 'stored', 5, 'queue'],
      [1, 'stored', 5, 'fold'],
    ],
  ],
  [
    'a slow fold is stored, and what comes after it is queued',
    [
      [0, 'stored', SLOW_MS + 1, 'fold'],
      [0, 'stored', 5, 'queue'],
      [PAUSE_MS, 'stored', 5, 'fold'],
    ],
  ],
  [
    'still away after the pause: another pause',
    [
      [0, 'failed', GIVE_UP_MS, 'fold, queue'],
      [PAUSE_MS, 'failed', GIVE_UP_MS, 'fold, queue'],
      [PAUSE_MS - 1, 'stored', 5, 'queue'],
      [1, 'stored', 5, 'fold'],
    ],
  ],
])('%s', async (_, steps) => {
  const isolate = makeIsolate();
  for (const [wait, outcome, ms, ways] of steps) {
    isolate.now += wait;
    expect(await isolate.pass(outcome, ms)).toBe(ways);
  }
});

describe('by the rate of what comes', () => {
  /** Sends messages at equal intervals. Returns how many of them were folded at once. */
  async function send(isolate: ReturnType<typeof makeIsolate>, perSecond: number, seconds: number) {
    const before = isolate.folds.length;
    for (let n = 0; n < perSecond * seconds; n += 1) {
      await isolate.pass('stored', 0);
      isolate.now += 1000 / perSecond;
    }
    return isolate.folds.length - before;
  }

  test('up to 40 a second are folded, be it after a burst', async () => {
    const isolate = makeIsolate();
    expect(await send(isolate, 40, 10)).toBe(400);
    await send(isolate, 1000, 10);
    await send(isolate, 30, 3);
    expect(await send(isolate, 30, 10)).toBe(300);
  });

  test('a burst is queued but for four a second', async () => {
    const isolate = makeIsolate();
    await send(isolate, 1000, 2);
    expect(await send(isolate, 1000, 10)).toBe(40);
    expect(isolate.queued).toBe(12_000 - isolate.folds.length);
  });

  test('what is queued in a pause is no burst', async () => {
    const isolate = makeIsolate();
    await isolate.pass('failed', 0);
    await send(isolate, 1000, PAUSE_MS / 1000);
    expect(await send(isolate, 30, 1)).toBe(30);
  });

  test('a fold that takes longer than a slot is kept frees it at its end', async () => {
    const isolate = makeIsolate();
    await send(isolate, 1000, 3);
    isolate.now += BURST_MS;
    for (let n = 0; n < 10; n += 1) expect(await isolate.pass('stored', BURST_MS)).toBe('fold');
  });
});

describe('side by side', () => {
  test('four are folded, the fifth is queued without waiting; one that ends makes room, but not at once', async () => {
    const isolate = makeIsolate();
    const delivered = Array.from({ length: 5 }, () => isolate.deliver(MESSAGES));
    await delivered[4];
    expect([isolate.folds.length, isolate.queued]).toEqual([4, 1]);
    isolate.folds[2]?.resolve();
    await delivered[2];
    isolate.now += LEAST_MS - 1;
    expect(await isolate.pass('stored', 0)).toBe('queue');
    isolate.now += 1;
    expect(await isolate.pass('stored', 5)).toBe('fold');
    for (const fold of isolate.folds) fold.resolve();
    await Promise.all(delivered);
    expect([isolate.queued, isolate.reports]).toEqual([2, []]);
  });

  test('after a failure one alone tries; when it is well, four do again', async () => {
    const isolate = makeIsolate();
    await isolate.pass('failed', 5);
    isolate.now += PAUSE_MS;
    const first = isolate.deliver(MESSAGES);
    expect(await isolate.pass('stored', 0)).toBe('queue');
    isolate.folds.at(-1)?.resolve();
    await first;
    isolate.now += LEAST_MS;
    const others = Array.from({ length: 4 }, () => isolate.deliver(MESSAGES));
    expect(isolate.folds).toHaveLength(6);
    for (const fold of isolate.folds) fold.resolve();
    await Promise.all(others);
  });

  test('one that is well ends no pause that another began', async () => {
    const isolate = makeIsolate();
    const delivered = [isolate.deliver(MESSAGES), isolate.deliver(MESSAGES), isolate.deliver(MESSAGES)];
    for (const fold of isolate.folds.slice(0, 2)) fold.reject(new Error('away'));
    await Promise.all(delivered.slice(0, 2));
    isolate.folds[2]?.resolve();
    await delivered[2];
    expect(await isolate.pass('stored', 5)).toBe('queue');
    expect([isolate.queued, isolate.reports.length]).toEqual([3, 1]);
  });

  test('folds whose requests were cancelled never end, and free their slots', async () => {
    const isolate = makeIsolate();
    for (let n = 0; n < 4; n += 1) isolate.deliver(MESSAGES);
    isolate.now += GIVE_UP_MS - 1;
    expect(await isolate.pass('stored', 5)).toBe('queue');
    isolate.now += 1;
    expect(await isolate.pass('stored', 5)).toBe('fold');
  });
});

test('the queue away too: the caller gets the queue’s own fault', async () => {
  const isolate = makeIsolate();
  isolate.queueIsAway = true;
  await expect(isolate.pass('failed', 5)).rejects.toThrow('the queue is away');
  await expect(isolate.pass('stored', 5)).rejects.toThrow('the queue is away');
});
