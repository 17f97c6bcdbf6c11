import { bindCursor, openCursor } from '../bound-cursor.ts';
import type { Fragment } from '../db.ts';
import { refuseCursor } from '../errors.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from '../telemetry/query-telemetry.ts';
import type { PagedMeta } from '../telemetry/schemas.ts';
import { intervalsOf } from '../telemetry/span-intervals.ts';
import { type Instants, resolveRange } from '../telemetry/telemetry-range.ts';
import type { ListOutcomes, OutcomeItem, Outcomes, OutcomesOfInterval, OutcomeType } from './schemas.ts';

/** When the last shown outcome occurred, in epoch milliseconds, and its number. */
const POSITION = /^(\d{1,15})-(\d{1,18})$/;
const MAX_TYPES = 100;
const MAX_TYPES_BY_INTERVAL = 20;

/**
 * The outcomes of an environment that occurred in the range: types with counts and sums, with `interval` also by time, and one page of
 * outcomes, newest first. Uses `outcomes_time`. The sums read each outcome of the range; the page reads its own outcomes, with a probe of
 * their sendings and of the spans of each day. Throws the errors of `queryTelemetry`, and `VALIDATION_ERROR` for an invalid cursor and
 * for over 500 intervals.
 */
export async function listOutcomes(
  ctx: TelemetryContext,
  { type, interval, limit, cursor, ...asked }: ListOutcomes,
): Promise<Answer<Outcomes, PagedMeta>> {
  const request = { type, ...(interval && { interval }), ...asked };
  const [, ms = null, id = null] =
    cursor === undefined ? [] : (POSITION.exec(await openCursor(cursor, request)) ?? refuseCursor());
  const instants = resolveRange(asked, ctx.now());
  const chosen = inRange(ctx, instants, type);
  const seconds = intervalsOf(instants, interval)?.seconds;
  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    asked,
    { instants, signal: 'outcomes', filters: { type, interval } },
    ctx.sql`
      select (${sums(ctx, chosen)}) as types, (${page(ctx, chosen, ms, id, limit)}) as outcomes,
        ${seconds === undefined ? ctx.sql`null` : ctx.sql`(${sumsOver(ctx, chosen, seconds)})`} as intervals`,
  );
  const [row] = items;
  const outcomes = row?.outcomes ?? [];
  const shown = outcomes.slice(0, limit);
  const last = shown.at(-1);
  const more = outcomes.length > limit && last !== undefined;
  return {
    data: {
      types: row?.types ?? [],
      ...(interval && { intervals: row?.intervals ?? [] }),
      outcomes: shown.map(({ id: _, ...outcome }) => outcome),
    },
    meta: {
      ...meta,
      nextCursor: more ? await bindCursor(`${Date.parse(last.occurredAt)}-${last.id}`, request) : null,
    },
  };
}

interface Row {
  types: OutcomeType[];
  intervals: OutcomesOfInterval[] | null;
  outcomes: (OutcomeItem & { id: string })[];
}

const iso = (ms: number): string => new Date(ms).toISOString();

const inRange = (
  { sql }: TelemetryContext,
  { fromMs, toMs }: Instants,
  type: string | undefined,
): Fragment => sql`
  select * from outcomes
  where environment_key = (select key from environment) and occurred_at >= ${iso(fromMs)}::timestamptz
    and occurred_at < ${iso(toMs)}::timestamptz and (${type ?? null}::text is null or type = ${type ?? null})`;

/** The amounts of a group's rows (`currency`, `count`, `amount`), by currency. */
const valuesOf = ({ sql }: TelemetryContext): Fragment => sql`
  coalesce(
    jsonb_agg(jsonb_build_object('currency', currency, 'count', count, 'amount', amount::text) order by currency)
      filter (where currency is not null), '[]')`;

const sums = (ctx: TelemetryContext, chosen: Fragment): Fragment => ctx.sql`
  select coalesce(jsonb_agg(to_jsonb(listed) order by listed.count desc, listed.type), '[]')
  from (
    select type, sum(count) as count, ${valuesOf(ctx)} as values
    from (select type, currency, count(*) as count, sum(amount) as amount from (${chosen}) chosen group by type, currency) sums
    group by type order by sum(count) desc, type limit ${MAX_TYPES}
  ) listed`;

const sumsOver = (ctx: TelemetryContext, chosen: Fragment, seconds: number): Fragment => ctx.sql`
  with chosen as materialized (${chosen}),
  frequent as (select type from chosen group by type order by count(*) desc, type limit ${MAX_TYPES_BY_INTERVAL}),
  sums as (
    select floor(extract(epoch from occurred_at) / ${seconds}::integer) * ${seconds}::integer as begin, type, currency,
      count(*) as count, sum(amount) as amount
    from chosen join frequent using (type)
    group by begin, type, currency
  )
  select coalesce(jsonb_agg(to_jsonb(listed) order by listed.time, listed.type), '[]')
  from (
    select wire_instant(to_timestamp(begin)) as time, type, sum(count) as count, ${valuesOf(ctx)} as values
    from sums group by begin, type
  ) listed`;

const page = (
  { sql }: TelemetryContext,
  chosen: Fragment,
  ms: string | null,
  id: string | null,
  limit: number,
): Fragment => sql`
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', outcome.id::text, 'source', source, 'domainEventId', domain_event_id, 'type', type,
    'occurredAt', wire_instant(occurred_at), 'receivedAt', wire_instant(received_at),
    'value', case when amount is not null then jsonb_build_object('amount', amount::text, 'currency', currency) end,
    'attributes', coalesce(attributes, '{}'), 'siteId', site_id, 'sessionId', session_id,
    'trace', case when sent.trace ->> 'traceId' is not null then sent.trace || jsonb_build_object('observed', exists (
      select from spans where spans.environment_key = outcome.environment_key
        and spans.trace_id = (sent.trace ->> 'traceId')::uuid)) end,
    'sendings', sent.sendings, 'conflicts', sent.conflicts
  ) order by occurred_at desc, outcome.id desc), '[]')
  from (
    select * from (${chosen}) chosen
    where ${ms}::bigint is null
      or (occurred_at, id) < (timestamptz 'epoch' + ${ms}::bigint * interval '1 millisecond', ${id}::bigint)
    order by occurred_at desc, id desc limit ${limit + 1}
  ) outcome
  cross join lateral (
    select count(*) as sendings, count(*) filter (where result = 'conflict') as conflicts,
      (array_agg(jsonb_build_object('traceId', trace_id_text(trace_id), 'spanId', span_id_text(span_id)) order by sent_at)
        filter (where trace_id is not null and result <> 'conflict'))[1] as trace
    from outcome_sendings sending
    where sending.environment_key = outcome.environment_key and sending.outcome_id = outcome.id
  ) sent`;
