/**
 * The real edge always reads a request's whole body. Here workerd would close the connection of a client whose body was not read to its
 * end, and the client would see a reset instead of the answer.
 */

/** Maximum size of an unread body that is still read after the answer. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

export interface Drained {
  /** The request to pass on; its body may stay unread. */
  request: Request;
  /** Reads the rest of the body. Call it after the answer exists; it never throws. */
  drain: () => Promise<void>;
}

export function keepDrainable(request: Request): Drained {
  // A GET may have a body, but it is impossible to create a GET request with another body.
  if (request.body === null || request.method === 'GET' || request.method === 'HEAD') {
    return { request, drain: async () => {} };
  }
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
