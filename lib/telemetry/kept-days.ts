import type { PartialSuccess } from '../otlp/rows.ts';

const DAY_MS = 86_400_000;
/** How far back something may have happened that is still taken. */
export const ACCEPTED_DAYS = 30;
/** What clocks that run ahead may be ahead. */
const AHEAD_DAYS = 1;

/** `days`: the UTC days of `rows`, as `2026-11-21`, each once. */
export interface Timely<Row> {
  rows: Row[];
  days: string[];
  partial: PartialSuccess | undefined;
}

/**
 * Leaves out what happened over 30 days ago or over a day ahead: there is no partition for it, and it would be deleted at once.
 * It is counted as rejected, beside what `partial` says already. `timeOf` gives nanoseconds since 1970.
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
  const late = rows.length - kept.length;
  return {
    rows: kept,
    days: [...days].map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10)),
    partial: late === 0 ? partial : withLate(partial, late),
  };
}

function withLate(partial: PartialSuccess | undefined, late: number): PartialSuccess {
  const sentence = `Refused ${late} without a time, or with one over ${ACCEPTED_DAYS} days ago or over a day ahead: check the clock.`;
  return {
    rejected: (partial?.rejected ?? 0) + late,
    message: partial === undefined ? sentence : `${partial.message} ${sentence}`,
  };
}

/** Exact for what lies on a border, where a double of nanoseconds wouldn't be. */
const dayOf = (nano: string): number => Math.floor(Number(nano.slice(0, -6)) / DAY_MS);
