/** Runs every function in this process, as `npm start` does, instead of workerd: the same tests run on both. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import { BUILT_FOLDER, buildFunctions } from '../host/build.ts';
import { type Client, type Listening, listen } from '../host/edge/listen.ts';
import { loadFunctions, type QueueBatch } from '../host/functions.ts';
import { consumeQueues } from '../host/queue/consume-queues.ts';
import { openQueue } from '../host/queue/open-queue.ts';
import { type FunctionSpec, readDeployment } from '../tooling/deployment.ts';
import type { QueueOutcome, Runtime, RuntimeOptions } from './runtime.ts';

export async function prepareRuntimeOnNode(options: RuntimeOptions): Promise<{ start(): Promise<Runtime> }> {
  return { start: () => startOnNode(options) };
}

async function startOnNode(options: RuntimeOptions): Promise<Runtime> {
  const { functions, values, valuesOf = () => ({}), port, contentPort, log } = options;
  const releaseConsole = captureConsole(log);
  const folder = await mkdtemp(join(tmpdir(), 'vendor-queue-'));
  const onError = (error: unknown): void => log(String(error instanceof Error ? error.stack : error));
  const queue = openQueue(join(folder, 'queue.sqlite'), onError);
  const built = await buildReplaced(functions, folder);
  const loaded = await loadFunctions({ functions, built, values, valuesOf, send: queue.send });
  const consuming = consumeQueues({ functions, queue, deliver: loaded.deliver, onError });
  const open = (fn: string, at: number): Promise<Listening> =>
    listen({
      at: { host: '127.0.0.1', port: at },
      answer: (request) => loaded.fetch(fn, request),
      clientOf: chosenClient,
      onError,
    });
  const listening = await Promise.all([
    open('gateway', port),
    ...(functions.some(({ fn }) => fn === 'content') ? [open('content', contentPort)] : []),
  ]);
  return {
    call: (fn, path, init) => loaded.fetch(fn, new Request(`http://${fn}${path}`, init)),
    scheduled: (fn, cron, scheduledTime = new Date()) => loaded.scheduled(fn, cron, scheduledTime),
    queue: async (fn, queue, bodies) => {
      const { batch, outcome } = batchOf(queue, bodies);
      await loaded.deliver(fn, batch);
      return outcome();
    },
    reload: async () => {
      throw new Error('Only workerd takes new code while it runs.');
    },
    stop: async () => {
      await Promise.all(listening.map(({ close }) => close(0)));
      await consuming.stop();
      await loaded.idle();
      await queue.close();
      releaseConsole();
      await rm(folder, { recursive: true });
    },
  };
}

/** The folder of the built functions; a new one if some of them aren't those of `wrangler.toml`. */
async function buildReplaced(functions: readonly FunctionSpec[], folder: string): Promise<string> {
  const own = new Set(readDeployment().map(({ main }) => main));
  if (functions.every(({ main }) => own.has(main))) return BUILT_FOLDER;
  const built = join(folder, 'built');
  await buildFunctions(functions, built);
  return built;
}

/** What functions log, with the function's name in front, as in workerd. */
function captureConsole(log: (line: string) => void): () => void {
  const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
  const own = levels.map((level) => [level, console[level]] as const);
  for (const level of levels)
    console[level] = (...parts: unknown[]) => {
      const line = format(...parts);
      const [, fn = ''] = /"function":"(\w+)"/.exec(line) ?? [];
      log(`${fn.padEnd(9)} | ${line}`);
    };
  return () => void Object.assign(console, Object.fromEntries(own));
}

/** As the dev edge: the developer chooses where a request comes from. */
function chosenClient({ headers }: IncomingMessage): Client {
  const text = (name: string): string | undefined => [headers[name]].flat()[0];
  const asn = text('x-dev-asn');
  const chosen = {
    country: text('x-dev-country'),
    regionCode: text('x-dev-region'),
    city: text('x-dev-city'),
    asn: asn === undefined ? undefined : Number(asn),
  };
  return {
    address: text('x-forwarded-for')?.split(',')[0]?.trim() || '127.0.0.1',
    origin: Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)),
  };
}

function batchOf(queue: string, bodies: readonly unknown[]): { batch: QueueBatch; outcome(): QueueOutcome } {
  const acks: string[] = [];
  const retries: string[] = [];
  let ackAll = false;
  let retryAll = false;
  const timestamp = new Date();
  return {
    batch: {
      queue,
      messages: bodies.map((body) => {
        const id = crypto.randomUUID();
        return {
          ...{ id, timestamp, attempts: 1, body },
          ack: () => void acks.push(id),
          retry: () => void retries.push(id),
        };
      }),
      ackAll: () => {
        ackAll = true;
      },
      retryAll: () => {
        retryAll = true;
      },
    },
    outcome: () => ({
      outcome: 'ok',
      ackAll,
      retryBatch: { retry: retryAll },
      explicitAcks: acks,
      retryMessages: retries.map((msgId) => ({ msgId })),
    }),
  };
}
