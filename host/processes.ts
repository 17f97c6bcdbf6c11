/** One process keeps queue, crons and stores; the others serve, and ask it over the channel between them. */
import cluster, { type Worker } from 'node:cluster';

/** What a serving process asks the one that keeps. */
export type Ask<Question, Reply> = (question: Question) => Promise<Reply>;

interface Asked<Question> {
  id: number;
  question: Question;
}
type Replied<Reply> = { id: number; reply: Reply } | { id: number; fault: string };

/** A process that ends sooner after its start is started again only after this time. */
const RESTART_MS = 1_000;
/** A process that closes its own connections at the deadline needs some time after it. */
const GRACE_MS = 2_000;

export interface Processes {
  /** Tells all to finish; resolves when they have ended, or at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** Starts serving processes, each with `config` as its first message, and resolves when all serve. One that dies is started again. */
export async function startProcesses<Question, Reply>(
  count: number,
  config: object,
  answer: Ask<Question, Reply>,
  log: (line: string) => void,
): Promise<Processes> {
  // The serving processes accept for themselves. A connection that this process hands to one that is just being killed would be lost to both,
  // and its client would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let isClosing = false;
  const start = (): Promise<void> => {
    const worker = cluster.fork();
    const startedAt = performance.now();
    worker.on('message', (message: Asked<Question> | 'serving') => {
      if (message !== 'serving') void reply(worker, message, answer);
    });
    // What is sent to a process that was just killed fails. Its exit is dealt with below.
    worker.on('error', () => {});
    worker.once('exit', (code, signal) => {
      if (isClosing) return;
      log(`process ${worker.process.pid} ended with ${signal ?? code}; another one replaces it`);
      const wait = Math.max(0, RESTART_MS - (performance.now() - startedAt));
      // One that ends before it serves has said so already, and is replaced too.
      setTimeout(() => !isClosing && void start().catch(() => {}), wait);
    });
    worker.send(config);
    return new Promise((resolve, reject) => {
      worker.on('message', (message) => message === 'serving' && resolve());
      worker.once('exit', (code) =>
        reject(new Error(`A serving process ended with ${code} before it served.`)),
      );
    });
  };
  await Promise.all(Array.from({ length: count }, start));
  return {
    close: async (deadlineMs) => {
      isClosing = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      const ended = Promise.all(
        workers.map((worker) => new Promise<void>((resolve) => void worker.once('exit', () => resolve()))),
      );
      for (const worker of workers) worker.process.kill('SIGTERM');
      const late = setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      }, deadlineMs + GRACE_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

async function reply<Question, Reply>(
  worker: Worker,
  { id, question }: Asked<Question>,
  answer: Ask<Question, Reply>,
): Promise<void> {
  const replied = await answer(question).then(
    (given): Replied<Reply> => ({ id, reply: given }),
    (error: unknown): Replied<Reply> => ({
      id,
      fault: error instanceof Error ? error.message : String(error),
    }),
  );
  if (worker.isConnected()) worker.send(replied);
}

/** In a serving process: its config, and how it asks. Without the process that keeps it ends at once. */
export async function joinProcesses<Config, Question, Reply>(): Promise<{
  config: Config;
  ask: Ask<Question, Reply>;
  serving(): void;
}> {
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  let asked = 0;
  process.once('disconnect', () => process.exit(1));
  const config = await new Promise<Config>((resolve) => process.once('message', resolve));
  process.on('message', (message: Replied<Reply>) => {
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if ('fault' in message) one?.reject(new Error(message.fault));
    else one?.resolve(message.reply);
  });
  return {
    config,
    serving: () => void process.send?.('serving'),
    ask: (question) =>
      new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve, reject });
        process.send?.({ id: asked, question }, undefined, undefined, (error) => error && reject(error));
      }),
  };
}
