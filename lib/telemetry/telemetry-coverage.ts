/** What an answer's `meta` tells of its coverage (docs/telemetry.md#queries). Each fragment is for `queryTelemetry`. */
import type { Fragment, Sql } from '../db.ts';
import type { Signal } from '../otlp/index.ts';
import type { Instants } from './telemetry-range.ts';

/** The kinds of data: a signal, `errors` of traces and logs, `outcomes`, or `any` of them. */
export type Observed = Signal | 'errors' | 'outcomes' | 'any';

/** A condition on a column `signal`. */
export function isOfSignal(sql: Sql, observed: Observed): Fragment {
  switch (observed) {
    case 'any':
      return sql`true`;
    case 'errors':
      return sql`signal in ('traces', 'logs')`;
    default:
      return sql`signal = ${observed}`;
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Longer ranges are looked at by the hour. */
const MAX_BY_MINUTE_MS = 3 * HOUR_MS;

/** The unit of `observedShare`, and the range in whole units. */
function unitsOf({ fromMs, toMs }: Instants): { unitMs: number; fromMs: number; toMs: number } {
  const unitMs = toMs - fromMs > MAX_BY_MINUTE_MS ? HOUR_MS : MINUTE_MS;
  return { unitMs, fromMs: Math.floor(fromMs / unitMs) * unitMs, toMs: Math.ceil(toMs / unitMs) * unitMs };
}

/**
 * The minutes or hours of the range in which something happened. By the primary key of `otlp_hours`, a row an hour; of outcomes a probe
 * of `outcomes_time` an hour; of any kind the receipts of the range.
 */
export function observedUnits(sql: Sql, signal: Observed, instants: Instants): Fragment {
  const { unitMs, ...ends } = unitsOf(instants);
  const [from, to] = [new Date(ends.fromMs).toISOString(), new Date(ends.toMs).toISOString()];
  const unit = `${unitMs} milliseconds`;
  switch (signal) {
    case 'outcomes':
      return sql`(
        select count(*)::integer from generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 millisecond', ${unit}::interval) as start
        where exists (
          select from outcomes where environment_key = (select key from environment)
            and occurred_at >= start and occurred_at < start + ${unit}::interval))`;
    case 'any':
      return sql`(
        select count(distinct date_trunc('minute', received_at))::integer from telemetry_receipts
        where environment_key = (select key from environment) and received_at >= ${from}::timestamptz and received_at < ${to}::timestamptz)`;
    default:
      return sql`(
        select count(distinct case when ${unitMs === HOUR_MS} then hour else hour + minute * interval '1 minute' end)::integer
        from otlp_hours cross join generate_series(0, 59) as minute
        where environment_key = (select key from environment) and ${isOfSignal(sql, signal)}
          and hour > ${from}::timestamptz - interval '1 hour' and hour < ${to}::timestamptz and minutes >> minute & 1 = 1
          and hour + minute * interval '1 minute' >= ${from}::timestamptz and hour + minute * interval '1 minute' < ${to}::timestamptz)`;
  }
}

/** The share of the range's elapsed units that were observed, to three decimals. Null if that isn't known for any of them. */
export function observedShare(
  row: { hours_noted_from: Date | null; observed_units: number },
  instants: Instants,
  now: number,
): number | null {
  const { unitMs, fromMs, toMs } = unitsOf(instants);
  const notedMs = Math.floor((row.hours_noted_from?.getTime() ?? 0) / unitMs) * unitMs;
  const end = Math.min(toMs, Math.ceil(now / unitMs) * unitMs);
  const units = (end - Math.max(fromMs, notedMs)) / unitMs;
  if (units <= 0) return notedMs > fromMs ? null : 0;
  return Math.min(1, Math.round((1000 * row.observed_units) / units) / 1000);
}

/** Hours in which spans of an environment began, and since when hours are noted: epoch milliseconds. */
export interface ObservedHours {
  hours: number[];
  noted_from: number | null;
}

/**
 * Selects the hours that the range touches and in which spans of the environment began: one row, `ObservedHours`. By the primary key of
 * `otlp_hours`, a row an hour. For a statement with `environment`.
 */
export const selectHours = (sql: Sql, { fromMs, toMs }: Instants): Fragment => sql`
  select (select extract(epoch from hours_noted_from) * 1000 from environment)::float8 as noted_from,
    coalesce(jsonb_agg((extract(epoch from hour) * 1000)::bigint), '[]') as hours
  from otlp_hours
  where environment_key = (select key from environment) and signal = 'traces' and minutes <> 0
    and hour > ${new Date(fromMs).toISOString()}::timestamptz - interval '1 hour' and hour < ${new Date(toMs).toISOString()}::timestamptz`;

/** Whether anything was observed in the hours that an interval touches. In time that isn't noted it may have been. */
export const wasObservedIn = (
  { hours, noted_from }: ObservedHours,
  { beginMs, lengthMs }: { beginMs: number; lengthMs: number },
): boolean => {
  const end = beginMs + lengthMs;
  return end <= (noted_from ?? 0) || hours.some((hour) => hour < end && hour + HOUR_MS > beginMs);
};

/** When the last of what was received happened, as it is shown. By the same rows as the last receipt; of outcomes by `outcomes_time`. */
export function lastEventAt(sql: Sql, signal: Observed): Fragment {
  const ofSignals = sql`iso_of_nano(greatest(
    (select max(last_nano) from telemetry_connections where environment_key = environment.key and ${isOfSignal(sql, signal)}),
    (select max(last_nano) from telemetry_receipts where environment_key = environment.key and ${isOfSignal(sql, signal)})))`;
  const ofOutcomes = sql`(select wire_instant(max(occurred_at)) from outcomes where environment_key = environment.key)`;
  // Both have the same form, in which later texts are greater.
  return chosenBy(signal, { ofSignals, ofOutcomes, ofAny: sql`greatest(${ofSignals}, ${ofOutcomes})` });
}

/** What is asked of a signal, of outcomes, or of anything that came. */
function chosenBy(
  signal: Observed,
  { ofSignals, ofOutcomes, ofAny }: Record<'ofSignals' | 'ofOutcomes' | 'ofAny', Fragment>,
): Fragment {
  if (signal === 'outcomes') return ofOutcomes;
  return signal === 'any' ? ofAny : ofSignals;
}

/** What came in the hours of the range and wasn't stored, by reason. By the primary key of `otlp_dropped`, a few rows an hour. */
export const droppedItems = (sql: Sql, signal: Observed, { fromMs, toMs }: Instants): Fragment => sql`(
  select coalesce(jsonb_object_agg(reason, items), '{}') from (
    select reason, sum(items) as items from otlp_dropped
    where environment_key = (select key from environment) and ${isOfSignal(sql, signal)}
      and hour >= ${new Date(Math.floor(fromMs / HOUR_MS) * HOUR_MS).toISOString()}::timestamptz
      and hour < ${new Date(toMs).toISOString()}::timestamptz
    group by reason
  ) lost)`;

/**
 * When the first of what is kept happened, to the minute, as a timestamp: of any signal, since one may be silent for days. Null: nothing
 * came. By the first entry of each signal in `otlp_hours`; of outcomes by `outcomes_time`.
 */
export function firstEventAt(sql: Sql, signal: Observed): Fragment {
  const firstOf = (of: Signal): Fragment => sql`(
    select hour + (select min(minute) from generate_series(0, 59) as minute where minutes >> minute & 1 = 1) * interval '1 minute'
    from otlp_hours
    where environment_key = environment.key and signal = ${of} and minutes <> 0
    order by hour limit 1)`;
  const ofSignals = sql`least(${firstOf('traces')}, ${firstOf('logs')}, ${firstOf('metrics')})`;
  const ofOutcomes = sql`(select min(occurred_at) from outcomes where environment_key = environment.key)`;
  return chosenBy(signal, { ofSignals, ofOutcomes, ofAny: sql`least(${ofSignals}, ${ofOutcomes})` });
}

interface Beginnings {
  /** When the environment was made. */
  created_at: Date;
  first_event_at: Date | null;
  hours_noted_from: Date | null;
  kept_days: number | null;
}

/**
 * From when on something was observed and is kept, in epoch milliseconds: from the first of what is kept, which may be older than the
 * environment, since senders may be late. Where nothing came, or hours weren't noted from the beginning, since the environment was made.
 */
export function observedSince(
  { created_at, first_event_at, hours_noted_from, kept_days }: Beginnings,
  now: number,
): number {
  const made = created_at.getTime();
  const first = first_event_at?.getTime() ?? made;
  const from = hours_noted_from === null ? first : Math.min(first, made);
  return kept_days === null ? from : Math.max(from, now - kept_days * 86_400_000);
}
