/**
 * The real edge takes a request's whole body in, whatever becomes of it. Here workerd would close the connection under a
 * client whose body was not read to its end, and that client would see a reset instead of its answer.
 */

/** As much of an unread body as is still taken in after the answer. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

export interface Drained {
  /** The request to hand on, whose body may be left unread. */
  request: Request;
  /** Reads what was left. Call when there is an answer; it never throws. */
  drain: () => Promise<void>;
}

export function keepDrainable(request: Request): Drained {
  // No request with another body can be made of a GET, which may have one all the same.
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
      // The client went away.
    }
  };
  return { request: new Request(request, { body }), drain };
}
