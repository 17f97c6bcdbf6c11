import { tooLarge, undecodable } from './decode-errors.ts';
import type { OtlpEncoding } from './media-types.ts';
import { MAX_INFLATED_BYTES } from './otlp-limits.ts';

/** Compressed bytes per step: gzip expands them up to 1,032 times before the output can be counted. */
const STEP_BYTES = 8 * 1024;

/**
 * Reads a body of at most `MAX_WIRE_BYTES` and inflates it to at most `maxBytes`; inflating stops at most 8 MiB beyond the limit.
 * Throws `PAYLOAD_TOO_LARGE`, and `VALIDATION_ERROR` for a body that isn't gzip or is incomplete.
 */
export async function inflate(
  body: Uint8Array<ArrayBuffer>,
  encoding: OtlpEncoding,
  maxBytes: number = MAX_INFLATED_BYTES,
): Promise<Uint8Array> {
  if (encoding === 'gzip') return inflateGzip(body, maxBytes);
  if (body.byteLength > maxBytes) throw tooLarge(`A request may have at most ${maxBytes} bytes.`);
  return body;
}

async function inflateGzip(body: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array> {
  const reader = inSteps(body).pipeThrough(new DecompressionStream('gzip')).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw undecodable('not gzip, or not all of it');
    });
    if (done) return join(chunks, length);
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge(`A request may have at most ${maxBytes} bytes when it is inflated.`);
    }
    chunks.push(value);
  }
}

function inSteps(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.byteLength) return controller.close();
      controller.enqueue(body.subarray(at, at + STEP_BYTES));
      at += STEP_BYTES;
    },
  });
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
