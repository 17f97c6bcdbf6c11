/** Replaces the Workers' runtime: loads every function of `wrangler.toml` into this process, with its bindings. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FunctionSpec } from '../tooling/deployment.ts';
import { type Assets, loadAssets } from './edge/assets.ts';

/** What a function's module exports: handlers as default, and entrypoints with a name. */
interface FunctionModule {
  default: Handlers;
  [entrypoint: string]: Handlers;
}

interface Handlers {
  fetch?(request: Request, env: object, ctx: ExecutionContext): Promise<Response> | Response;
  scheduled?(
    controller: { cron: string; scheduledTime: number },
    env: object,
    ctx: ExecutionContext,
  ): unknown;
  queue?(batch: QueueBatch, env: object, ctx: ExecutionContext): unknown;
}

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
}

/** A batch as the platform's queues deliver it. */
export interface QueueBatch {
  queue: string;
  messages: readonly QueueMessage[];
  ackAll(): void;
  retryAll(options?: RetryOptions): void;
}

export interface QueueMessage {
  id: string;
  timestamp: Date;
  /** Beginning with 1. */
  attempts: number;
  body: unknown;
  ack(): void;
  retry(options?: RetryOptions): void;
}

export interface RetryOptions {
  delaySeconds?: number;
}

/** Keeps messages for a function's binding to a queue. Resolves when they are durable. */
export type SendToQueue = (queue: string, bodies: readonly unknown[]) => Promise<void>;

export interface FunctionsOptions {
  functions: readonly FunctionSpec[];
  /** The folder that `buildFunctions` wrote. */
  built: string;
  /** Vars and secrets. Each function gets those that its env schema names. */
  values: Readonly<Record<string, string>>;
  /** Values of one function alone, which override the others. */
  valuesOf: (fn: string) => Record<string, string>;
  send: SendToQueue;
  /** Called with each answer of a function. */
  onAnswer?: ((fn: string, status: number) => void) | undefined;
}

export interface Functions {
  /** Asks a function as a route does: its assets first. */
  fetch(fn: string, request: Request): Promise<Response>;
  /** Runs a function's cron handler. Rejects if it fails. */
  scheduled(fn: string, cron: string, scheduledTime: Date): Promise<void>;
  /** Passes a batch to a function's queue handler. Rejects if it fails. */
  deliver(fn: string, batch: QueueBatch): Promise<void>;
  /** Resolves when all work is done that functions continue after their answers. */
  idle(): Promise<void>;
}

interface Loaded {
  spec: FunctionSpec;
  /** Loaded when it is first needed: a process that keeps the queue never needs most of them. */
  module: () => Promise<FunctionModule>;
  env: Record<string, unknown>;
  assets: Assets | undefined;
}

/** Throws if a function lacks a value that its env schema requires, or a binding leads nowhere. */
export async function loadFunctions(options: FunctionsOptions): Promise<Functions> {
  const { functions, send, onAnswer = () => {} } = options;
  const loaded = new Map(
    await Promise.all(functions.map(async (spec) => [spec.name, await loadFunction(spec, options)] as const)),
  );
  const pending = new Set<Promise<unknown>>();
  const ctx: ExecutionContext = {
    waitUntil: (work) => {
      const done = work.catch(() => {}).finally(() => pending.delete(done));
      pending.add(done);
    },
    passThroughOnException: () => {},
  };
  const counted = async ({ spec }: Loaded, answer: Promise<Response>): Promise<Response> => {
    const response = await answer;
    onAnswer(spec.fn, response.status);
    return response;
  };
  const named = (name: string): Loaded => {
    const found = loaded.get(name);
    if (found === undefined) throw new Error(`wrangler.toml has no function named ${name}`);
    return found;
  };
  const byFunction = new Map([...loaded.values()].map((one) => [one.spec.fn, one]));
  const of = (fn: string): Loaded => {
    const found = byFunction.get(fn);
    if (found === undefined) throw new Error(`wrangler.toml has no [env.${fn}]`);
    return found;
  };
  for (const { spec, env } of loaded.values()) {
    for (const { binding, service, entrypoint } of spec.services) {
      const target = named(service);
      env[binding] = {
        fetch: async (input: Request | string | URL, init?: RequestInit) => {
          const request = input instanceof Request && init === undefined ? input : new Request(input, init);
          return entrypoint === undefined
            ? counted(target, ask(target, request, ctx))
            : counted(target, answerOf(target, entrypoint, request, ctx));
        },
      };
    }
    for (const { binding, queue } of spec.producers)
      env[binding] = {
        send: (body: unknown) => send(queue, [body]),
        sendBatch: (messages: Iterable<{ body: unknown }>) =>
          send(
            queue,
            [...messages].map(({ body }) => body),
          ),
      };
  }
  return {
    fetch: (fn, request) => counted(of(fn), ask(of(fn), request, ctx)),
    scheduled: async (fn, cron, scheduledTime) => {
      const { module, env } = of(fn);
      const { default: handlers } = await module();
      if (handlers.scheduled === undefined) throw new Error(`${fn} has no cron handler`);
      await handlers.scheduled({ cron, scheduledTime: scheduledTime.getTime() }, env, ctx);
    },
    deliver: async (fn, batch) => {
      const { module, env } = of(fn);
      const { default: handlers } = await module();
      if (handlers.queue === undefined) throw new Error(`${fn} has no queue handler`);
      await handlers.queue(batch, env, ctx);
    },
    idle: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

async function loadFunction(
  spec: FunctionSpec,
  { built, values, valuesOf }: FunctionsOptions,
): Promise<Loaded> {
  const load = (name: string) => import(pathToFileURL(join(built, `${name}.js`)).href);
  let module: Promise<FunctionModule> | undefined;
  const [{ Env }, assets] = await Promise.all([
    load(`${spec.fn}-env`) as Promise<{ Env: { entries: Record<string, { type: string }> } }>,
    spec.assets === undefined ? undefined : loadAssets(spec.assets),
  ]);
  const given: Readonly<Record<string, string>> = { ...values, ...valuesOf(spec.fn), ...spec.vars };
  const entries = Object.entries(Env.entries);
  const missing = entries.flatMap(([key, { type }]) => (type === 'optional' || key in given ? [] : [key]));
  if (missing.length > 0) throw new Error(`${spec.fn} needs values for ${missing.join(', ')}`);
  return {
    spec,
    module: () => {
      module ??= load(spec.fn) as Promise<FunctionModule>;
      return module;
    },
    assets,
    env: Object.fromEntries(entries.flatMap(([key]) => (key in given ? [[key, given[key]]] : []))),
  };
}

const ask = async (target: Loaded, request: Request, ctx: ExecutionContext): Promise<Response> =>
  (await target.assets?.answer(request)) ?? answerOf(target, 'default', request, ctx);

async function answerOf(
  { spec, module, env }: Loaded,
  entrypoint: string,
  request: Request,
  ctx: ExecutionContext,
): Promise<Response> {
  const handlers = (await module())[entrypoint];
  if (handlers?.fetch === undefined)
    throw new Error(`${spec.fn} exports no ${entrypoint} that answers requests`);
  return handlers.fetch(request, env, ctx);
}
