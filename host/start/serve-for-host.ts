/** A serving process: the functions over the same database; Redis, the salt, the queue and mails are the keeping process's. */

import type { FunctionSpec } from '../../tooling/deployment.ts';
import type { Answer } from '../../tooling/endpoint/serve.ts';
import type { Secrets } from '../data-folder.ts';
import { openOrigins } from '../edge/origins.ts';
import { type Counts, createCounter } from '../metrics/counts.ts';
import { joinProcesses } from '../processes.ts';
import { serve } from '../serve.ts';
import { openService, type RedisName } from '../service.ts';
import { COUNTRY_DATABASE, type Settings } from '../settings.ts';
import type { PostedMail } from '../stores/mail.ts';
import { FINISH_MS, finishOnSignal, log } from './finish.ts';

/** How often a serving process says what it has answered. */
const COUNTS_EVERY_MS = 2_000;

export interface ServingConfig {
  secrets: Secrets;
  functions: FunctionSpec[];
  built: string;
  database: { url: string; connections: number };
}

export type Question =
  | { kind: 'redis'; name: RedisName; path: string; body: string; encoding: string | undefined }
  | { kind: 'queue'; queue: string; bodies: readonly unknown[] }
  | { kind: 'mail'; mail: PostedMail }
  | { kind: 'counts'; counts: Counts };

export async function serveForHost(settings: Settings): Promise<void> {
  const { config, ask, serving } = await joinProcesses<ServingConfig, Question, unknown>();
  const counter = createCounter();
  const service = await openService({
    ...config,
    settings,
    askRedis: (name, path, body, encoding) =>
      ask({ kind: 'redis', name, path, body, encoding }) as Promise<Answer>,
    send: async (queue, bodies) => void (await ask({ kind: 'queue', queue, bodies })),
    takeMail: async (mail) => void (await ask({ kind: 'mail', mail })),
    onAnswer: counter.count,
  });
  const originOf = await openOrigins(settings.COUNTRY_DATABASE ?? COUNTRY_DATABASE);
  const listening = await serve(settings, service, originOf, log);
  setInterval(() => void ask({ kind: 'counts', counts: counter.take() }), COUNTS_EVERY_MS).unref();
  finishOnSignal(async () => {
    await listening.close(FINISH_MS);
    await service.close();
  });
  serving();
}
