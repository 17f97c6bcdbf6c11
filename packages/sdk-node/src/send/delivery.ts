/** Delivers a batch: it is sent again as long as that can help, and what was lost is said. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sayOnce } from '../say.ts';
import type { Settings } from '../settings.ts';
import { type Answer, post } from './post.ts';

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

const REQUEST_MS = 10_000;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** A batch that couldn't be sent for so long is given up. */
const GIVE_UP_MS = 5 * 60_000;
/** The statuses after which OTLP's senders try again. */
const PASSING = new Set([429, 502, 503, 504]);

/** Sends batches of one signal, one at a time. `end` ends the request under way, and nothing is sent any more. */
export interface Delivery {
  items: string;
  /** True if the service took all of the batch. Rejects only if its answer can't be read. */
  deliver(body: Uint8Array, count: number): Promise<boolean>;
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
  const lose = (count: number, why: string): false => {
    sayOnce(`${count} ${items} were lost: ${why}`, `${items}: ${why}`);
    return false;
  };

  async function deliver(body: Uint8Array, count: number): Promise<boolean> {
    const zipped = await compress(body);
    const since = Date.now();
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const answer = await ask(zipped);
      if (answer !== undefined && !PASSING.has(answer.status)) {
        const fault = faultOf(answer, url);
        if (fault !== undefined) return lose(count, fault);
        const refusal = readRefusal(answer.body);
        return refusal === undefined || lose(refusal.count, refusal.why);
      }
      if (ended.signal.aborted) return lose(count, 'the process ended before the service took them.');
      const why = answer ? `the service answers ${answer.status}` : `${endpoint} is out of reach`;
      sayOnce(`${why}; it is tried again. The application runs on.`);
      if (Date.now() - since > GIVE_UP_MS) return lose(count, `${why} for five minutes.`);
      await pause(Math.min(answer?.retryAfterMs ?? wait, MAX_WAIT_MS), ended.signal);
    }
  }

  async function ask(body: Uint8Array): Promise<Answer | undefined> {
    try {
      return await post({ url, headers, body, timeoutMs: REQUEST_MS, signal: ended.signal });
    } catch {
      return undefined;
    }
  }

  return { items, deliver, end: () => ended.abort() };
}

/** Why the service didn't take a batch, and what to do. */
function faultOf({ status }: Answer, url: string): string | undefined {
  if (status === 200) return undefined;
  if (status === 401) return 'the service refuses the ingest key. Make a new one, and set VENDOR_API_KEY.';
  if (status === 403) return 'the ingest key may not send this.';
  if (status === 404)
    return `there is no receiver at ${url}. Set VENDOR_ENDPOINT to the address of the service.`;
  return `the service answers ${status}.`;
}

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
