/** Streams text as a body. If the source throws, the body breaks off, which clients see as a failed transfer; `report` gets the cause. */
export function streamText(
  parts: AsyncGenerator<string, void>,
  report: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (cause) {
        report(cause);
        controller.error(cause);
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
