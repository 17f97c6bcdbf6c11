import { DomainError } from '../errors.ts';

/** The limit in docs/api.md#bodies. */
export const MAX_BODY_BYTES = 64 * 1024;

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', `A body may have at most ${maxBytes} bytes here.`);

/** In workerd requests come from HTTP, which ends a body after `Content-Length` bytes. Those that a test makes may have any body. */
const IS_WORKERD = 'readAtLeast' in ReadableStreamBYOBReader.prototype;

/**
 * Reads the request's body, at most `maxBytes`. A `Content-Length` above it is refused before any read. With one, workerd reads the whole
 * body at once, which costs less than a stream. Otherwise bytes are counted as they arrive. Throws `PAYLOAD_TOO_LARGE`.
 */
export async function readBody(request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> {
  const stated = request.headers.get('content-length');
  const expected = Number(stated ?? maxBytes);
  if (!(expected <= maxBytes)) throw tooLarge(maxBytes);
  const body =
    IS_WORKERD && stated !== null
      ? new Uint8Array(await request.arrayBuffer())
      : await readStream(request.body, expected + 1);
  if (body.byteLength > expected) throw tooLarge(maxBytes);
  return body;
}

/**
 * Reads up to `size` bytes of a stream; fewer mean that the stream has ended. The runtime's own streams fill the buffer in one read;
 * chunks would cost one turn of the event loop each.
 */
async function readStream(stream: Request['body'], size: number): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const reader = openByteReader(stream);
  if (reader === undefined) return gatherChunks(stream.getReader(), size);
  const { value = new Uint8Array() } = await reader.read(new Uint8Array(size), { min: size });
  if (value.byteLength === size) await reader.cancel();
  return value;
}

/**
 * Undefined for a stream of chunks, and on a runtime without `readAtLeast`: Node.js accepts `min` and then fails on a body that has
 * already arrived.
 */
function openByteReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  if (!IS_WORKERD) return undefined;
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
