import { minuteOf } from './event-moment.ts';
import type { DropReason, StoredEvent } from './track-message.ts';

export interface Refusal {
  /** The event's own. */
  id: string;
  reason: DropReason;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * What is left of a refused event: its reason, for the owner's count. It has an id of its own, made of the event's, so that sent again it
 * is counted once, and accepted later, after consent, it counts as any other.
 */
export const refuseEvent = ({ id, reason, at }: Refusal): StoredEvent => ({
  type: 'dropped',
  id: withOtherVersion(id.toLowerCase()),
  at: minuteOf(at),
  reason,
});

/** Where a UUID says its version. */
const VERSION_AT = 14;

const withOtherVersion = (id: string): string =>
  id.slice(0, VERSION_AT) +
  (Number.parseInt(id.charAt(VERSION_AT), 16) ^ 8).toString(16) +
  id.slice(VERSION_AT + 1);
