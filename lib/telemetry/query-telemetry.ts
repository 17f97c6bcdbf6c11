import { memberEnvironment, type TelemetryActor } from '../access.ts';
import { askDatabase } from '../ask-database.ts';
import type { Context } from '../context.ts';
import type { Fragment, Sql } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Dropped } from '../otlp/drop-reason.ts';
import type { OneEnvironment } from '../projects/schemas.ts';
import type { TelemetryMeta } from './schemas.ts';
import {
  droppedItems,
  firstEventAt,
  isOfSignal,
  lastEventAt,
  type Observed,
  observedShare,
  observedSince,
  observedUnits,
} from './telemetry-coverage.ts';
import type { Instants } from './telemetry-range.ts';

/** The context of verbs that read telemetry. */
export type TelemetryContext = Context<TelemetryActor>;

export interface Question {
  instants: Instants;
  /** The kind of data that answers the question, for `coverage` and `freshness`. */
  signal: Observed;
  /** The filters as `meta` repeats them. Undefined values are left out on the wire. */
  filters?: Record<string, unknown>;
  approximate?: string;
  notes?: string[];
  /** Up to when the answer has everything, as a timestamp; null or absent: up to the moment of the question. */
  foldedAt?: Fragment;
}

export interface Answer<Data, Meta = TelemetryMeta> {
  data: Data;
  meta: Meta;
}

/**
 * Runs one statement over an environment's telemetry, in one round trip. `select` returns the items in order, one row each, in their
 * wire format, and gets the environment's key from `(select key from environment)`. The database turns its rows into JSON, so 64-bit
 * integers must be texts. Throws `UNAVAILABLE`, and `NOT_FOUND` for actors who may not see the environment now.
 */
export async function queryTelemetry<Item>(
  ctx: TelemetryContext,
  { projectId, environmentId }: OneEnvironment,
  { instants, signal, filters = {}, approximate, notes, foldedAt }: Question,
  select: Fragment,
): Promise<{ items: Item[]; meta: TelemetryMeta }> {
  const now = ctx.now();
  await ctx.countReports?.(1);
  const statement = ctx.sql`
    with environment as materialized (
      select environments.key, environments.created_at, environments.hours_noted_from, ${keptDays(ctx.sql, signal)} as kept_days
      from (${memberEnvironment(ctx, { projectId, environmentId })}) member
      join environments on environments.id = member.environment_id
    )
    select environment.created_at, environment.kept_days, environment.hours_noted_from,
      (select coalesce(jsonb_agg(to_jsonb(item)), '[]') from (${select}) item) as items,
      ${wasObserved(ctx.sql, signal, instants)} as observed,
      greatest(
        (select max(last_received_at) from telemetry_connections
          where environment_key = environment.key and ${isOfSignal(ctx.sql, signal)}),
        (select max(received_at) from telemetry_receipts
          where environment_key = environment.key and ${isOfSignal(ctx.sql, signal)})
      ) as last_received_at,
      ${firstEventAt(ctx.sql, signal)} as first_event_at,
      ${lastEventAt(ctx.sql, signal)} as last_event_at,
      ${observedUnits(ctx.sql, signal, instants)} as observed_units,
      ${droppedItems(ctx.sql, signal, instants)} as dropped,
      ${foldedAt ?? ctx.sql`null::timestamptz`} as folded_at
    from environment
  `;
  // What the asker may see, and whether anything was received.
  const subject = ctx.sql`
    select jsonb_build_array(environment_id, exists (
      select from telemetry_connections t join environments e on e.key = t.environment_key where e.id = environment_id
    ))
    from (${memberEnvironment(ctx, { projectId, environmentId })}) member`;
  const { results, asOf } = await askDatabase(ctx, { statements: [statement], subject });
  const row = results[0]?.[0];
  if (row === undefined) throw notFound('environment');
  const { items, observed, last_received_at, folded_at } = row as Row<Item>;
  return {
    items,
    meta: {
      scope: { projectId, environmentId, filters },
      range: { from: toInstant(instants.fromMs), to: toInstant(endOf(instants, now)), timezone: 'UTC' },
      coverage: {
        observed,
        since: toInstant(observedSince(row as Row<Item>, now)),
        observedShare: observedShare(row as Row<Item>, instants, now),
        dropped: row.dropped,
      },
      freshness: {
        lastReceivedAt: last_received_at?.toISOString() ?? null,
        lastEventAt: row.last_event_at,
        foldedAt: folded_at?.toISOString() ?? toInstant(Math.min(asOf, now)),
        evaluatedAt: toInstant(Math.min(asOf, now)),
      },
      ...(approximate !== undefined && { approximate }),
      ...(notes !== undefined && { notes }),
    },
  };
}

interface Row<Item> {
  created_at: Date;
  /** Null: kept as long as the environment exists. */
  kept_days: number | null;
  items: Item[];
  observed: boolean;
  last_received_at: Date | null;
  first_event_at: Date | null;
  last_event_at: string | null;
  /** Null: hours are noted since the environment was made. */
  hours_noted_from: Date | null;
  observed_units: number;
  dropped: Dropped;
  folded_at: Date | null;
}

/** The pattern for `ilike` that finds a text anywhere; null matches everything. */
export const containing = (text: string | undefined): string | null =>
  text === undefined ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The end of a range that goes on is the present: ranges may be widened to whole minutes, hours or days. */
const endOf = ({ fromMs, toMs }: Instants, now: number): number =>
  fromMs < now ? Math.min(toMs, now) : toMs;

const toInstant = (ms: number): string => new Date(ms).toISOString();

function keptDays(sql: Sql, signal: Observed): Fragment {
  switch (signal) {
    case 'traces':
      return sql`traces_days`;
    case 'logs':
      return sql`logs_days`;
    case 'metrics':
      return sql`metrics_days`;
    case 'errors':
      return sql`greatest(traces_days, logs_days)`;
    case 'outcomes':
    case 'any':
      return sql`null::integer`;
  }
}

/**
 * One index probe: by `spans_time`, by the primary key of `logs`, by `outcomes_time`. For metrics, one probe per series until a series
 * has a point in the range. For `any`, the latest receipts.
 */
function wasObserved(sql: Sql, signal: Observed, instants: Instants): Fragment {
  const { fromMs, toMs, fromNano, toNano, fromDay, toDay } = instants;
  // The order by the index's columns keeps the planner from reading another environment's day.
  const hasRow = (table: Fragment, time: Fragment): Fragment => sql`coalesce((
    select true from ${table} where environment_key = (select key from environment)
      and day between ${fromDay}::date and ${toDay}::date
      and ${time} >= ${fromNano}::bigint and ${time} < ${toNano}::bigint
    order by ${time} limit 1), false)`;
  switch (signal) {
    case 'traces':
      return hasRow(sql`spans`, sql`start_nano`);
    case 'logs':
      return hasRow(sql`logs`, sql`time_nano`);
    case 'errors':
      return sql`(${wasObserved(sql, 'traces', instants)} or ${wasObserved(sql, 'logs', instants)})`;
    case 'metrics':
      // A sender's clock may be a day ahead of the day on which its points arrived.
      return sql`exists (
        select from metric_series s
        cross join lateral (
          select from metric_points p where p.environment_key = s.environment_key and p.series_id = s.id
            and day between ${fromDay}::date and ${toDay}::date
            and time_nano >= ${fromNano}::bigint and time_nano < ${toNano}::bigint
          order by time_nano limit 1
        ) point
        where s.environment_key = (select key from environment) and last_day >= ${fromDay}::date - 1)`;
    case 'outcomes':
      return sql`exists (
        select from outcomes where environment_key = (select key from environment)
          and occurred_at >= ${toInstant(fromMs)}::timestamptz and occurred_at < ${toInstant(toMs)}::timestamptz)`;
    case 'any':
      return sql`exists (
        select from telemetry_receipts where environment_key = (select key from environment)
          and received_at >= ${toInstant(fromMs)}::timestamptz)`;
  }
}
