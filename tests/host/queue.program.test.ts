/** The queue on disk, and how its messages are delivered. The clock is the test's. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { QueueBatch } from '../../host/functions.ts';
import { consumeQueues } from '../../host/queue/consume-queues.ts';
import { openQueue, type Queue } from '../../host/queue/open-queue.ts';
import { openQueueFile } from '../../host/queue/queue-file.ts';
import { type FunctionSpec, readDeployment } from '../../tooling/deployment.ts';

let folder: string;
let queue: Queue;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-queue-'));
  queue = openQueue(join(folder, 'queue.sqlite'), () => {});
});
afterEach(async () => {
  await queue.close();
  await rm(folder, { recursive: true });
});

const consumer = {
  queue: 'events',
  maxBatchSize: 3,
  maxBatchTimeout: 0,
  maxRetries: 2,
  deadLetterQueue: 'dead',
};
const [some] = readDeployment();
const functions = [{ ...(some as FunctionSpec), fn: 'ingest', consumers: [consumer] }];
const never = (error: unknown): void => {
  throw error;
};

/** Delivers to `handle` until what `until` waits for. */
async function deliver(handle: (batch: QueueBatch) => void, until: () => unknown, now?: () => number) {
  const consuming = consumeQueues({
    ...{ functions, queue, onError: never },
    deliver: async (_, batch) => handle(batch),
    ...(now && { now }),
  });
  await vi.waitFor(until, { timeout: 10_000 });
  await consuming.stop();
}

const bodiesOf = ({ messages }: QueueBatch): unknown[] => messages.map(({ body }) => body);

test('messages come in their order, in batches of a size, and once', async () => {
  await Promise.all([queue.send('events', [1, 2]), queue.send('events', [{ n: 3 }, 'four'])]);
  const batches: unknown[][] = [];
  await deliver(
    (batch) => batches.push(bodiesOf(batch)),
    () => expect(batches.flat()).toHaveLength(4),
  );
  expect(batches).toEqual([[1, 2, { n: 3 }], ['four']]);
  expect(await queue.depths()).toEqual([]);
});

test('what isn’t accepted comes again, and at last is a dead letter', async () => {
  await queue.send('events', ['good', 'bad']);
  const attempts: number[] = [];
  await deliver(
    ({ messages }) => {
      for (const { body, attempts: tried, retry } of messages) {
        if (body === 'good') continue;
        attempts.push(tried);
        retry();
      }
    },
    async () => expect(await queue.depths()).toMatchObject([{ queue: 'dead', messages: 1 }]),
  );
  expect(attempts).toEqual([1, 2, 3]);
  expect(await queue.peek('dead', 9, new Set())).toMatchObject([{ body: '"bad"', attempts: 0 }]);
});

test('a handler that fails retries all but what it accepted', async () => {
  await queue.send('events', ['accepted', 'lost']);
  const seen: unknown[][] = [];
  const consuming = consumeQueues({
    functions,
    queue,
    onError: () => {},
    deliver: async (_, batch) => {
      seen.push(bodiesOf(batch));
      if (seen.length > 1) return;
      batch.messages[0]?.ack();
      throw new Error('half-way');
    },
  });
  await vi.waitFor(() => expect(seen).toEqual([['accepted', 'lost'], ['lost']]), { timeout: 10_000 });
  await consuming.stop();
});

test('what was sent is there after another start, as it was', async () => {
  await queue.send('events', [{ text: 'é\u0000"' }]);
  await queue.close();
  queue = openQueue(join(folder, 'queue.sqlite'), () => {});
  expect(await queue.peek('events', 9, new Set())).toMatchObject([
    { body: JSON.stringify({ text: 'é\u0000"' }) },
  ]);
});

test('a clock that is set back an hour holds nothing back', async () => {
  let now = Date.now();
  const file = openQueueFile(join(folder, 'clock.sqlite'), () => now);
  await file.send('events', ['early']);
  now -= 3_600_000;
  expect(file.peek('events', 9, new Set())).toHaveLength(1);
  file.settle({ done: [], later: [{ id: 1, visibleAt: now + 60_000 }], moved: [] });
  now += 3_700_000;
  expect(file.peek('events', 9, new Set())).toHaveLength(1);
  file.close();
});

test('a full disk refuses a message, and takes later ones when there is room', async () => {
  const path = join(folder, 'small.sqlite');
  const file = openQueueFile(path, Date.now, 'pragma max_page_count = 8');
  await file.send('events', ['small']);
  await expect(file.send('events', ['x'.repeat(100_000)])).rejects.toThrow('full');
  await file.send('events', ['small again']);
  expect(file.peek('events', 9, new Set()).map(({ body }) => body)).toEqual(['"small"', '"small again"']);
  file.close();
});
