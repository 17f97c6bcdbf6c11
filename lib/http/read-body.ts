import { DomainError } from '../errors.ts';

/** Contract section 1. */
export const MAX_BODY_BYTES = 64 * 1024;

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', `A body may have at most ${maxBytes} bytes here.`);

/**
 * The request's body, at most `maxBytes` long. The bytes are counted as they come, whatever `Content-Length` says; an
 * honest one that is too large is refused before anything is read. Throws `PAYLOAD_TOO_LARGE`.
 */
export async function readBody(request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  return join(chunks, size);
}

function join(chunks: Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}
