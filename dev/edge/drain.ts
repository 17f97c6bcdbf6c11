/**
 * The real edge always reads a request's whole body. Here workerd would close the connection of a client whose body was not read to its
 * end, and the client would see a reset instead of the answer.
 */

/** A body of a stated length up to this is read before the request is passed on: a stream that JavaScript feeds costs far more. */
const MAX_WHOLE_BYTES = 64 * 1024;
/** Maximum size of an unread body that is still read after the answer. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

export interface Drained {
  /** The request to pass on; its body may stay unread. */
  request: Request;
  /** Reads the rest of the body. Call it after the answer exists; it never throws. */
  drain: () => Promise<void>;
}

export async function keepDrainable(request: Request): Promise<Drained> {
  // A GET may have a body, but it is impossible to create a GET request with another body.
  if (request.body === null || request.method === 'GET' || request.method === 'HEAD') {
    return { request, drain: async () => {} };
  }
  const stated = request.headers.get('Content-Length');
  if (stated !== null && Number(stated) <= MAX_WHOLE_BYTES)
    return { request: new Request(request, { body: await request.arrayBuffer() }), drain: async () => {} };
  const reader = request.body.getReader();
  const body = new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const drain = async (): Promise<void> => {
    try {
      for (let bytes = 0; bytes < MAX_DRAIN_BYTES; ) {
        const { done, value } = await reader.read();
        if (done) return;
        bytes += value.byteLength;
      }
    } catch {
      // The client closed the connection.
    }
  };
  return { request: new Request(request, { body }), drain };
}
