import { DomainError } from '../errors.ts';

/** docs/api.md#bodies */
export const MAX_BODY_BYTES = 64 * 1024;

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', `A body may have at most ${maxBytes} bytes here.`);

/**
 * The request's body, at most `maxBytes` long. The bytes are counted as they come, and none is taken beyond what
 * `Content-Length` says; one that says too much is refused before anything is read. Throws `PAYLOAD_TOO_LARGE`.
 */
export async function readBody(request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> {
  const expected = Number(request.headers.get('content-length') ?? maxBytes);
  if (!(expected <= maxBytes)) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const body = await readAtMost(request.body, expected + 1);
  if (body.byteLength > expected) throw tooLarge(maxBytes);
  return body;
}

/**
 * Up to `size` bytes of a stream, which has ended if they are fewer, and is cancelled else. The runtime's own streams fill
 * them in one read, where chunks would cost a turn of the event loop each, and one more to see the end.
 */
async function readAtMost(stream: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array> {
  const reader = openByteReader(stream);
  if (reader === undefined) return gatherChunks(stream.getReader(), size);
  const { value = new Uint8Array() } = await reader.read(new Uint8Array(size), { min: size });
  if (value.byteLength === size) await reader.cancel();
  return value;
}

/**
 * Absent for a stream of chunks, and where the runtime can't wait for so many bytes: Node.js takes `min`, and then fails on
 * a body that has come already.
 */
function openByteReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  if (!('readAtLeast' in ReadableStreamBYOBReader.prototype)) return undefined;
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

async function gatherChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  size: number,
): Promise<Uint8Array> {
  const body = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { done, value } = await reader.read();
    if (done) return body.subarray(0, filled);
    const part = value.subarray(0, size - filled);
    body.set(part, filled);
    filled += part.byteLength;
  }
  await reader.cancel();
  return body;
}
