/** Sends while the thread waits: after `process.exit()` and after a crash no callback and no promise runs any more. */
import { Worker } from 'node:worker_threads';

export interface LastRequest {
  url: string;
  headers: Record<string, string>;
  /** Not compressed yet. */
  body: Uint8Array;
  /** Called with the HTTP status, `undefined` without an answer. */
  onStatus(status: number | undefined): void;
}

/** What the thread gets. */
interface Given {
  requests: Pick<LastRequest, 'url' | 'headers' | 'body'>[];
  /** At 0 the number of requests that ended, then the HTTP status of each; 0: no answer. */
  state: Int32Array;
}

/**
 * Sends all requests side by side and waits up to `ms` milliseconds for their answers. Each is tried once. Never throws. Without requests no
 * thread is made.
 */
export function sendNow(requests: readonly LastRequest[], ms: number): void {
  if (requests.length === 0) return;
  const state = new Int32Array(new SharedArrayBuffer((1 + requests.length) * Int32Array.BYTES_PER_ELEMENT));
  try {
    const given: Given = {
      requests: requests.map(({ url, headers, body }) => ({ url, headers, body })),
      state,
    };
    // Without the application's options: they would load its modules, and this SDK, into the thread.
    new Worker(`(${postAll})()`, {
      ...{ eval: true, workerData: given, execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } },
      ...{ stdout: true, stderr: true },
    });
    const until = performance.now() + ms;
    for (;;) {
      const ended = Atomics.load(state, 0);
      const left = until - performance.now();
      if (ended === requests.length || left <= 0) break;
      Atomics.wait(state, 0, ended, left);
    }
  } catch {
    // No thread may be made here: what waits is lost.
  }
  for (const [index, { onStatus }] of requests.entries())
    onStatus(Atomics.load(state, 1 + index) || undefined);
}

/** Runs in the thread, as a text of its own: it uses nothing from outside. */
function postAll(): void {
  const builtin = process.getBuiltinModule;
  const { requests, state } = builtin('node:worker_threads').workerData as Given;
  const { constants, gzipSync } = builtin('node:zlib');
  for (const [index, { url, headers, body }] of requests.entries()) {
    const end = (status: number): void => {
      Atomics.store(state, 1 + index, status);
      Atomics.add(state, 0, 1);
      Atomics.notify(state, 0);
    };
    const zipped = gzipSync(body, { level: constants.Z_BEST_SPEED });
    const { request } = url.startsWith('https:') ? builtin('node:https') : builtin('node:http');
    request(url, { method: 'POST', headers: { ...headers, 'Content-Length': zipped.length } })
      .once('response', (response) => {
        response.resume().once('close', () => end(response.complete ? (response.statusCode ?? 0) : 0));
      })
      .once('error', () => end(0))
      .end(zipped);
  }
}
