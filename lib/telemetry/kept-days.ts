import type { PartialSuccess } from '../otlp/rows.ts';
import { withSentence } from './partial-success.ts';

const DAY_MS = 86_400_000;
/** The receiver accepts items that are at most this old. */
export const ACCEPTED_DAYS = 30;
/** Tolerance for clocks that run ahead. */
const AHEAD_DAYS = 1;

/** `days`: the UTC days of `rows`, such as `2026-11-21`, each once. */
export interface Timely<Row> {
  rows: Row[];
  days: string[];
  partial: PartialSuccess | undefined;
}

/**
 * Removes rows that are over 30 days old or over a day ahead: no partition exists for them. Removed rows are added to the rejected
 * count of `partial`. `timeOf` returns nanoseconds since 1970.
 */
export function keepTimely<Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => string,
  partial: PartialSuccess | undefined,
  now: number,
): Timely<Row> {
  const today = Math.floor(now / DAY_MS);
  const days = new Set<number>();
  const kept = rows.filter((row) => {
    const day = dayOf(timeOf(row));
    const isTimely = day >= today - ACCEPTED_DAYS && day <= today + AHEAD_DAYS;
    if (isTimely) days.add(day);
    return isTimely;
  });
  const refused = rows.length - kept.length;
  return {
    rows: kept,
    days: [...days].map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10)),
    partial:
      refused === 0 ? partial : withSentence(partial, late(refused), { count: refused, reason: 'time' }),
  };
}

const late = (count: number): string =>
  `Refused ${count} without a time, or with one over ${ACCEPTED_DAYS} days ago or over a day ahead: check the clock.`;

/** Drops digits below a millisecond first: a double of nanoseconds would be inexact at the border of a day. */
const dayOf = (nano: string): number => Math.floor(Number(nano.slice(0, -6)) / DAY_MS);
