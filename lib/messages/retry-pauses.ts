/** When a message is tried again: the pauses of Standard Webhooks, three days in all. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PAUSES_MS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
] as const;

/** At most this part is added, so that messages that failed together don't come back together. */
const JITTER = 0.2;

/**
 * Milliseconds after the attempt with this number (the first is 1) until the next one; undefined after the last. `random`: from 0 to 1.
 */
export function retryPauseMs(attempt: number, random: number): number | undefined {
  const pause = PAUSES_MS[attempt - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + JITTER * random));
}
