/** Delivers a batch: it is sent again as long as that can help, and what was lost is said. */

import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { sayOnce } from '../say.ts';
import type { Settings } from '../settings.ts';
import { type Answer, post } from './post.ts';
import type { LastRequest } from './send-now.ts';

export interface Signal {
  /** The last part of the receiver's address. */
  name: 'traces' | 'logs' | 'metrics';
  /** What a batch has, for sentences. */
  items: string;
  /** What the service refused of a batch that it took. */
  readRefusal(answer: Uint8Array): Refusal | undefined;
}

export interface Refusal {
  count: number;
  why: string;
}

const compress = promisify(gzip);
/** The application's CPU is worth more than some bytes: measured in docs/benchmarks.md. */
const FASTEST = { level: constants.Z_BEST_SPEED };

const REQUEST_MS = 10_000;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** A batch that couldn't be sent for this time is given up. */
const GIVE_UP_MS = 5 * 60_000;
/** The statuses after which OTLP's senders try again. */
const PASSING = new Set([429, 502, 503, 504]);

export const ENDED = 'the process ended before the service took them.';
export const TOO_LARGE = 'they are too large.';

/** Sends batches of one signal, one at a time. */
export interface Delivery {
  items: string;
  /** Ends when the service took the batch, when it is lost, or when `end` was called. Never rejects. */
  deliver(body: Uint8Array, count: number): Promise<'done' | 'too large'>;
  /** The same batch, for `sendNow`: it is sent once, and what is lost is said. */
  prepare(body: Uint8Array, count: number): LastRequest;
  /** Says that items are lost. */
  lose(count: number, why: string): void;
  /** Ends the request under way; nothing is sent any more, and nothing said. */
  end(): void;
}

export function makeDelivery({ endpoint, apiKey }: Settings, { name, items, readRefusal }: Signal): Delivery {
  const ended = new AbortController();
  const url = `${endpoint}/v1/${name}`;
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/x-protobuf',
    'Content-Encoding': 'gzip',
  };
  const lose = (count: number, why: string): void =>
    sayOnce(`${items} were lost (${count}): ${why}`, `${items}: ${why}`);

  async function deliver(body: Uint8Array, count: number): Promise<'done' | 'too large'> {
    const zipped = await compress(body, FASTEST);
    const since = Date.now();
    for (let wait = FIRST_WAIT_MS; !ended.signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const answer = await ask(zipped);
      if (ended.signal.aborted) break;
      if (answer?.status === 413) return 'too large';
      if (answer !== undefined && !PASSING.has(answer.status)) {
        readAnswer(answer, count);
        break;
      }
      const why = answer ? `the service answers ${answer.status}` : `${endpoint} is out of reach`;
      sayOnce(`${why}; it is tried again. The application runs on.`);
      if (Date.now() - since > GIVE_UP_MS) {
        lose(count, `${why} for five minutes.`);
        break;
      }
      await pause(Math.min(answer?.retryAfterMs ?? wait, MAX_WAIT_MS), ended.signal);
    }
    return 'done';
  }

  function readAnswer(answer: Answer, count: number): void {
    const fault = faultOf(answer, url);
    try {
      const refusal = fault === undefined ? readRefusal(answer.body) : { count, why: fault };
      if (refusal) lose(refusal.count, refusal.why);
    } catch {
      lose(count, notTheService(url));
    }
  }

  const prepare = (body: Uint8Array, count: number): LastRequest => ({
    ...{ url, headers, body },
    onStatus(status) {
      const fault = status === undefined ? ENDED : status === 413 ? TOO_LARGE : faultOf({ status }, url);
      if (fault !== undefined) lose(count, fault);
    },
  });

  async function ask(body: Uint8Array): Promise<Answer | undefined> {
    try {
      return await post({ url, headers, body, timeoutMs: REQUEST_MS, signal: ended.signal });
    } catch {
      return undefined;
    }
  }

  return { items, deliver, prepare, lose, end: () => ended.abort() };
}

/** Why the service didn't take a batch, and what to do. */
function faultOf({ status }: Pick<Answer, 'status'>, url: string): string | undefined {
  if (status === 200) return undefined;
  if (status === 401) return 'the service refuses the ingest key. Make a new one, and set VENDOR_API_KEY.';
  if (status === 403) return 'the ingest key may not send this.';
  if (status === 404 || (status >= 300 && status < 400)) return notTheService(url);
  return `the service answers ${status}.`;
}

const notTheService = (url: string): string =>
  `what answers at ${url} is not the service. Set VENDOR_ENDPOINT to the address of the service.`;

/** Ends early when the signal is aborted. It doesn't keep the process alive. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
