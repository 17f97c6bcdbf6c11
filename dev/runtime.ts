/** Runs every function of the map in one workerd, behind the dev edge, with queues between them. */
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare';
import type { FunctionSpec } from '../tooling/deployment.ts';
import { endWithParent } from './end-with-parent.ts';
import { planWorkers, type WorkersPlan } from './workers.ts';

export interface RuntimeOptions extends WorkersPlan {
  log: (line: string) => void;
}

export interface QueueOutcome {
  outcome: string;
  ackAll: boolean;
  retryBatch: { retry: boolean };
  explicitAcks: string[];
  retryMessages: { msgId: string }[];
}

export interface CallInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Runtime {
  /** Calls a function directly, without the edge and the routes. */
  call(fn: string, path: string, init?: CallInit): Promise<{ status: number; text(): Promise<string> }>;
  /** Runs a function's cron handler now. Throws if it fails. */
  scheduled(fn: string, cron: string, scheduledTime?: Date): Promise<void>;
  /** Passes a batch of JSON bodies to a function's queue handler, without the queue. */
  queue(fn: string, queue: string, bodies: unknown[]): Promise<QueueOutcome>;
  /** Builds the Workers again and replaces the running ones. On a build error it throws and the running ones stay. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** Builds first (`build`), so that the caller can measure both steps; `start` resolves when the port answers. */
export async function prepareRuntime(options: RuntimeOptions): Promise<{ start(): Promise<Runtime> }> {
  const plan = async (): Promise<MiniflareOptions> => ({
    ...asShared(options),
    workers: await planWorkers(options),
  });
  const initial = await plan();
  return {
    start: async () => {
      endWithParent('workerd');
      const miniflare = new Miniflare(initial);
      await miniflare.ready;
      return asRuntime(miniflare, options.functions, plan);
    },
  };
}

function asRuntime(
  miniflare: Miniflare,
  functions: FunctionSpec[],
  plan: () => Promise<MiniflareOptions>,
): Runtime {
  const worker = (fn: string) => {
    const spec = functions.find((candidate) => candidate.fn === fn);
    if (spec === undefined) throw new Error(`wrangler.toml has no [env.${fn}]`);
    return miniflare.getWorker(spec.name);
  };
  return {
    call: async (fn, path, init) => (await worker(fn)).fetch(`http://${fn}${path}`, init),
    scheduled: async (fn, cron, scheduledTime = new Date()) => {
      const { outcome } = await (await worker(fn)).scheduled({ cron, scheduledTime });
      if (outcome !== 'ok') throw new Error(`${fn}: the cron ${cron} ended with ${outcome}`);
    },
    queue: async (fn, queue, bodies) => {
      const timestamp = new Date();
      const messages = bodies.map((body) => ({ id: crypto.randomUUID(), timestamp, attempts: 1, body }));
      return (await worker(fn)).queue(queue, messages) as Promise<QueueOutcome>;
    },
    reload: async () => miniflare.setOptions(await plan()),
    stop: () => miniflare.dispose(),
  };
}

function asShared({ log }: RuntimeOptions): Omit<MiniflareOptions, 'workers'> {
  return {
    host: '127.0.0.1',
    port: 0,
    // The dev edge sets `cf`. By default Miniflare would fetch a sample from the network.
    cf: false,
    log: new Log(LogLevel.NONE),
    logRequests: false,
    handleStructuredLogs: ({ message }) => log(message),
    handleUncaughtError: (error) => log(String(error.stack ?? error)),
    telemetry: { enabled: false },
  };
}
