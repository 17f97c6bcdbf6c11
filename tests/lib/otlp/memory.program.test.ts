import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import type { WorkerAnswer, WorkerRequest } from './decode-worker.ts';
import { encode, REQUESTS } from './generated-messages.ts';
import { HOSTILE_BODIES } from './hostile-bodies.ts';
import { toJson } from './one-item.ts';

/** Memory that decoding may use. The body isn't on the heap, so it isn't included. */
const LIMITS = { maxOldGenerationSizeMb: 56, maxYoungGenerationSizeMb: 8 };

/** The worker that decoded earlier bodies. It is replaced after a failure. */
let worker: Worker | undefined;

afterAll(() => worker?.terminate());

/** Decodes in a worker with these limits. Rejects with `ERR_WORKER_OUT_OF_MEMORY` if they don't suffice. */
async function decodeBounded(request: WorkerRequest): Promise<WorkerAnswer> {
  worker ??= new Worker(new URL('decode-worker.ts', import.meta.url), { resourceLimits: LIMITS });
  worker.postMessage(request);
  try {
    const [answer] = await once(worker, 'message');
    return answer;
  } catch (error) {
    worker = undefined;
    throw error;
  }
}

test.each(Object.entries(HOSTILE_BODIES))(
  '%s: an answer within 64 MiB and 10 s',
  { timeout: 300_000 },
  async (_, { signal, type, make }) => {
    const body = make();
    expect(body.length).toBeLessThanOrEqual(16 * 1024 * 1024);
    const { outcome, milliseconds } = await decodeBounded({ signal, type, body });
    expect(['rows', 'partial', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE']).toContain(outcome);
    expect(milliseconds).toBeLessThan(10_000);
  },
);

/** An ordinary span: about 600 bytes in protobuf, 1.1 KiB in JSON. */
const span = (at: number) => ({
  traceId: Uint8Array.from({ length: 16 }, (_, byte) => (Math.imul(at + 1, byte + 7) >>> 3) | 1),
  spanId: Uint8Array.from({ length: 8 }, (_, byte) => (Math.imul(at + 1, byte + 31) >>> 2) | 1),
  name: `GET /orders/${at % 50}`,
  startTimeUnixNano: String(1_792_000_000_000_000_000n + BigInt(at) * 1_000_003n),
  endTimeUnixNano: String(1_792_000_000_004_000_000n + BigInt(at) * 1_000_019n),
  attributes: Array.from({ length: 12 }, (_, key) => ({
    key: `some.attribute.${key}`,
    value: { stringValue: key < 4 ? `value ${at} ${'x'.repeat(30)}` : `value ${(at + key) % 20}` },
  })),
});

test.each(['protobuf', 'json'] as const)(
  'ordinary spans of nearly 16 MiB of %s are all taken',
  async (type) => {
    const encodeSpans = (spans: object[]) => {
      const message = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
      return type === 'json' ? toJson(message) : encode(REQUESTS.traces, message);
    };
    const each = encodeSpans(Array.from({ length: 100 }, (_, at) => span(at + 10_000))).length / 100;
    const body = encodeSpans(Array.from({ length: Math.floor(15.8e6 / each) }, (_, at) => span(at)));
    expect(body.length).toBeGreaterThan(15e6);
    expect((await decodeBounded({ signal: 'traces', type, body })).outcome).toBe('rows');
  },
);
