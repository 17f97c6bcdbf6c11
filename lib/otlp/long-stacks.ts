/**
 * Stacks that are longer than an attribute may be. In some languages the frame that threw comes first, and in others last, so both ends are kept
 * (docs/telemetry.md#what-a-request-may-have).
 */

/** The attribute that has the stack of an exception. */
export const STACK = 'exception.stacktrace';

const SEAM = '\n…\n';
const SEAM_BYTES = 5;

/** How many bytes each end has, if the whole has `room`. */
export const endBytes = (room: number): number => Math.max(0, Math.floor((room - SEAM_BYTES) / 2));

/** The whole lines of both ends of a text. */
export function joinEnds(head: string, tail: string): string {
  const lastLine = head.lastIndexOf('\n');
  return (lastLine < 0 ? head : head.slice(0, lastLine)) + SEAM + tail.slice(tail.indexOf('\n') + 1);
}
