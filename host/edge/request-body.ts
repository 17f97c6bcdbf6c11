/** Request bodies that functions may leave unread: the edge reads each to its end, so that a client gets its answer and not a reset. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Up to this stated length the server's own request is as good: all of it is in memory. */
const SMALL_BYTES = 64 * 1024;
/** Maximum size of what is still read, and not kept, after the answer. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

/** The same request, with a body that may be cancelled without an end of the connection. */
export function withDrainableBody(
  request: Request,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Request {
  const { method = 'GET', headers } = incoming;
  const isBodiless = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  const isSmall = Number(headers['content-length'] ?? Number.NaN) <= SMALL_BYTES;
  if (method === 'GET' || method === 'HEAD' || isBodiless || isSmall) return request;
  const chunks = incoming.iterator({ destroyOnReturn: false });
  outgoing.once('finish', () => {
    // A body flows only after its iterator has let it go.
    void chunks.return?.().then(() => drain(incoming));
  });
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  // Undici's type of the options lacks `duplex`.
  const init = { method, headers: request.headers, body, duplex: 'half', signal: request.signal };
  return new Request(request.url, init);
}

function drain(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_DRAIN_BYTES) incoming.destroy();
  });
  incoming.on('error', () => {});
  incoming.resume();
}
