/** Delivers the messages of the queue's file to the functions that `wrangler.toml` names as consumers, as the platform's queues do. */
import type { FunctionSpec, QueueConsumer } from '../../tooling/deployment.ts';
import type { QueueBatch, RetryOptions } from '../functions.ts';
import type { Queue } from './open-queue.ts';
import type { Settlement, StoredMessage } from './queue-file.ts';

/** The platform's own defaults. */
const DEFAULTS = { maxBatchSize: 10, maxBatchTimeout: 5, maxRetries: 3 };
/** How often a queue is looked at. */
const LOOK_EVERY_MS = 200;
/** Batches of one queue that are delivered at the same time. */
const AT_ONCE = 2;

export interface ConsumeOptions {
  functions: readonly FunctionSpec[];
  queue: Queue;
  deliver(fn: string, batch: QueueBatch): Promise<void>;
  /** Receives each fault of a delivery. The messages are delivered again. */
  onError(error: unknown): void;
  now?: () => number;
}

export interface Consuming {
  /** Takes no more messages; resolves when those that are being delivered are settled. */
  stop(): Promise<void>;
}

export function consumeQueues(options: ConsumeOptions): Consuming {
  const all = options.functions.flatMap(({ fn, consumers }) =>
    consumers.map((consumer) => consumeQueue(fn, { ...DEFAULTS, ...consumer }, options)),
  );
  return { stop: async () => void (await Promise.all(all.map(({ stop }) => stop()))) };
}

type Consumer = QueueConsumer & typeof DEFAULTS;

function consumeQueue(
  fn: string,
  consumer: Consumer,
  { queue, deliver, onError, now = Date.now }: ConsumeOptions,
): Consuming {
  const taken = new Set<number>();
  const deliveries = new Set<Promise<void>>();
  let isStopped = false;
  let looking: Promise<void> | undefined;
  const look = (): void => {
    looking ??= take()
      .catch(onError)
      .finally(() => {
        looking = undefined;
      });
  };
  async function take(): Promise<void> {
    while (!isStopped && deliveries.size < AT_ONCE) {
      const messages = await queue.peek(consumer.queue, consumer.maxBatchSize, taken);
      const [oldest] = messages;
      if (oldest === undefined) return;
      const isFull = messages.length === consumer.maxBatchSize;
      // A clock that was set back would make a message young for long.
      const isYoung = now() >= oldest.sentAt && now() - oldest.sentAt < consumer.maxBatchTimeout * 1000;
      if (!isFull && oldest.attempts === 0 && isYoung) return;
      start(messages);
    }
  }
  const start = (messages: StoredMessage[]): void => {
    for (const { id } of messages) taken.add(id);
    const delivery = deliverBatch(messages)
      .catch(onError)
      .finally(() => {
        for (const { id } of messages) taken.delete(id);
        deliveries.delete(delivery);
        look();
      });
    deliveries.add(delivery);
  };
  async function deliverBatch(messages: StoredMessage[]): Promise<void> {
    const { batch, retries } = asBatch(consumer.queue, messages);
    try {
      await deliver(fn, batch);
    } catch (error) {
      onError(error);
      batch.retryAll();
    }
    await queue.settle(settlementOf(messages, retries, consumer, now()));
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await looking;
      while (deliveries.size > 0) await Promise.all(deliveries);
    },
  };
}

/** Seconds to wait for each message that was not accepted. */
type Retries = Map<number, number>;

function asBatch(queue: string, stored: readonly StoredMessage[]): { batch: QueueBatch; retries: Retries } {
  const retries: Retries = new Map();
  const retry = (id: number, { delaySeconds = 0 }: RetryOptions = {}) => void retries.set(id, delaySeconds);
  const accepted = new Set<number>();
  const messages = stored.map(({ id, body, attempts, sentAt }) => ({
    id: String(id),
    timestamp: new Date(sentAt),
    attempts: attempts + 1,
    body: JSON.parse(body) as unknown,
    ack: () => {
      accepted.add(id);
      retries.delete(id);
    },
    retry: (options?: RetryOptions) => retry(id, options),
  }));
  return {
    retries,
    batch: {
      queue,
      messages,
      ackAll: () => retries.clear(),
      retryAll: (options) => {
        for (const { id } of stored) if (!accepted.has(id)) retry(id, options);
      },
    },
  };
}

/** A message that failed `maxRetries` times after its first delivery goes to the queue of dead letters, or is gone where there is none. */
function settlementOf(
  messages: readonly StoredMessage[],
  retries: Retries,
  { maxRetries, deadLetterQueue }: Consumer,
  now: number,
): Settlement {
  const failed = messages.filter(({ id }) => retries.has(id));
  const isDead = ({ attempts }: StoredMessage): boolean => attempts >= maxRetries;
  const dead = failed.filter(isDead).map(({ id }) => id);
  return {
    done: [
      ...messages.filter(({ id }) => !retries.has(id)).map(({ id }) => id),
      ...(deadLetterQueue === undefined ? dead : []),
    ],
    later: failed
      .filter((message) => !isDead(message))
      .map(({ id }) => ({ id, visibleAt: now + (retries.get(id) ?? 0) * 1000 })),
    moved: deadLetterQueue === undefined ? [] : dead.map((id) => ({ id, queue: deadLetterQueue })),
  };
}
