import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

export type Body = { text: string } | { refused: 'size' | 'encoding' };

/**
 * Reads a body as UTF-8 and keeps at most `maxBytes` of it. The rest is read and discarded, so that the sender gets an answer instead
 * of a broken connection. Throws if the connection breaks.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > maxBytes) return { refused: 'size' };
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { refused: 'encoding' };
}
