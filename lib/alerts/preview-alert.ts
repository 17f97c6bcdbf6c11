/** When a rule would have fired in the last 14 days, by the same logic as the rounds (docs/alerts.md#preview). */
import { MANAGERS, requireRole } from '../access.ts';
import { findSegment } from '../analytics/segment-filters.ts';
import type { AuditedContext } from '../audit.ts';
import { type Fragment, reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import type { Role } from '../roles.ts';
import { holds, type Reading } from './alert-condition.ts';
import { isSite, ownerName, ownerOf, ownerTarget } from './alert-owner.ts';
import type { AlertPreview, PreviewEnvironmentAlert, PreviewSiteAlert } from './alert-schemas.ts';
import { type AlertStatus, stepAlert } from './alert-state.ts';
import type { Rule } from './alert-subject.ts';
import { readRule } from './read-rule.ts';
import {
  BASELINE_WEEKS,
  errorSeriesOf,
  isRelative,
  type RuleAt,
  readingOf,
  sourceOf,
  type WindowSum,
  windowsOf,
} from './read-windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PREVIEW_DAYS = 14;
const MAX_FIRINGS = 100;

interface Owned {
  role: Role;
  key: number;
  zone: string;
  goal_key: number | null;
  since: Date | null;
  first_at: Date | null;
}

/**
 * Values by the hour, and when the rule would have fired. A site is watched from now on, and its minutes are counted back within some
 * minutes: ask again. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, and `VALIDATION_ERROR` as `createAlert`. Reads sums of 14 days, or of six
 * weeks for a rule that compares with other weeks.
 */
export async function previewAlert(
  ctx: AuditedContext,
  input: PreviewSiteAlert | PreviewEnvironmentAlert,
): Promise<AlertPreview> {
  const { sql } = ctx;
  const owner = ownerOf(input);
  const rule = readRule(
    input,
    'segment' in input ? await findSegment(ctx, { siteId: input.siteId, segment: input.segment }) : undefined,
  );
  const now = new Date(ctx.now()).toISOString();
  const target = ownerTarget(ctx, owner);
  const results = isSite(owner)
    ? await reach(
        sql.transaction([
          sql`select watch_site(target.site_id, ${now}::timestamptz)::text from (${target}) target where target.role = any (${MANAGERS}::text[])`,
          findOfSite(ctx, target, rule.subject.goalId),
        ]),
      )
    : [await reach(findOfEnvironment(ctx, target))];
  const owned = requireRole<Owned>(results.at(-1) ?? [], { what: ownerName(owner) });
  if (rule.subject.goalId !== undefined && owned.goal_key === null)
    throw new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', {
      details: [{ path: 'goalId', message: 'must be a goal of the site' }],
    });
  const to = Math.floor(ctx.now() / HOUR_MS) * HOUR_MS + HOUR_MS;
  return isSite(owner) ? previewSite(ctx, rule, owned, to) : previewEnvironment(ctx, rule, owned, to);
}

const findOfSite = ({ sql }: AuditedContext, target: Fragment, goalId: string | undefined): Fragment => sql`
  with target as (${target})
  select target.role, site.key, site.timezone as zone, goal.key as goal_key, watch.since,
    (select first_event_at from site_freshness where site_key = site.key) as first_at
  from target
  join sites site on site.id = target.site_id
  left join site_goals goal on goal.site_id = target.site_id and goal.id = ${goalId ?? null}::uuid
  left join site_watches watch on watch.site_key = site.key`;

const findOfEnvironment = ({ sql }: AuditedContext, target: Fragment): Fragment => sql`
  with target as (${target})
  select target.role, environment.key, 'UTC' as zone, null::integer as goal_key, null::timestamptz as since,
    (select minute from span_hours where environment_key = environment.key order by minute limit 1) as first_at
  from target join environments environment on environment.id = target.environment_id`;

/** Sums of minutes one after the other, from which those of any window follow at once. */
class Minutes {
  readonly #fromMs: number;
  readonly #amounts: Float64Array;
  readonly #before: Float64Array;

  constructor(fromMs: number, toMs: number, sparse: readonly (readonly [number, number])[]) {
    const length = Math.round((toMs - fromMs) / MINUTE_MS);
    this.#fromMs = fromMs;
    this.#amounts = new Float64Array(length);
    this.#before = new Float64Array(length + 1);
    for (const [index, amount] of sparse) this.#amounts[index] = amount;
    for (let n = 0; n < length; n++) this.#before[n + 1] = (this.#before[n] ?? 0) + (this.#amounts[n] ?? 0);
  }

  /** The window of `minutes` that ends at an instant. `byMinute`: with its least and most minute. */
  sum(toMs: number, minutes: number, byMinute: boolean): Pick<WindowSum, 'total' | 'low' | 'high'> {
    const end = Math.round((toMs - this.#fromMs) / MINUTE_MS);
    const start = Math.max(0, end - minutes);
    const total = (this.#before[end] ?? 0) - (this.#before[start] ?? 0);
    if (!byMinute) return { total, low: null, high: null };
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (let n = start; n < end; n++) {
      low = Math.min(low, this.#amounts[n] ?? 0);
      high = Math.max(high, this.#amounts[n] ?? 0);
    }
    return { total, low: Number.isFinite(low) ? low : 0, high };
  }
}

async function previewSite(ctx: AuditedContext, rule: Rule, owned: Owned, to: number): Promise<AlertPreview> {
  const from = to - PREVIEW_DAYS * DAY_MS;
  const weeks = isRelative(rule) ? BASELINE_WEEKS : 0;
  const readFrom = from - (weeks * 7 + 2) * DAY_MS;
  const asked: Omit<RuleAt, 'at'> = {
    rule,
    key: owned.key,
    zone: owned.zone,
    goalKey: owned.goal_key,
    firstAt: owned.first_at?.getTime() ?? null,
  };
  const windows = windowsOf({ ...asked, at: to });
  const own = windows.filter(({ weeks: week }) => week === 0);
  const rows = await reach(ctx.sql`
    select item.n, (
        select coalesce(jsonb_agg(jsonb_build_array((extract(epoch from at - ${iso(readFrom)}::timestamptz) / 60)::integer, amount)), '[]')
        from (
          select minute.at, sum(minute.amount) as amount
          from minutes_in(${owned.key}::integer, item.series, ${iso(readFrom)}::timestamptz, ${iso(to)}::timestamptz) minute
          where (item.tier is null or minute.tier = item.tier) and names_match(item.operator, item.names, minute.name)
          group by minute.at having sum(minute.amount) <> 0
        ) minutes
      ) as minutes, (
        select jsonb_agg(extract(epoch from (hour at time zone ${owned.zone}) - (hour at time zone 'UTC'))::integer order by hour)
        from generate_series(${iso(readFrom)}::timestamptz, ${iso(to)}::timestamptz, '1 hour') as hour
      ) as offsets
    from jsonb_to_recordset(${JSON.stringify(own.map((window, n) => ({ ...window, n })))}::jsonb) as item(
      n integer, series integer, tier integer, operator text, names text[])
    order by item.n`);
  const read = rows as { minutes: [number, number][]; offsets: number[] }[];
  const counted = read.map(({ minutes }) => new Minutes(readFrom, to, minutes));
  const offsets = read[0]?.offsets ?? [];
  const offsetAt = (ms: number): number => (offsets[Math.floor((ms - readFrom) / HOUR_MS)] ?? 0) * 1000;
  const since = owned.since?.getTime() ?? Number.POSITIVE_INFINITY;
  const readAt = (at: number): Reading => {
    const sums = windowsOf({ ...asked, at }).map((window, n): WindowSum => {
      const early = at - window.weeks * 7 * DAY_MS;
      const end = window.weeks === 0 ? at : early + offsetAt(at) - offsetAt(early);
      const sum = counted[n % own.length]?.sum(end, window.minutes, window.by_minute === true);
      const isCovered = since <= end - window.minutes * MINUTE_MS;
      return { ...NOTHING, ...sum, isCovered };
    });
    return readingOf({ ...asked, at }, sums);
  };
  const last = Math.min(to, Math.floor(ctx.now() / MINUTE_MS) * MINUTE_MS);
  return toPreview(
    rule,
    {
      from,
      to: last,
      stepMs: MINUTE_MS,
      countedFrom: Number.isFinite(since) ? Math.max(since, owned.first_at?.getTime() ?? since) : null,
    },
    readAt,
  );
}

const NOTHING: WindowSum = {
  total: 0,
  low: null,
  high: null,
  isCovered: true,
  errors: 0,
  buckets: null,
  isAlive: false,
  lastAt: null,
};

const iso = (ms: number): string => new Date(ms).toISOString();

interface HourRow {
  hour: number;
  entries: number;
  errors: number;
  spans: number;
  buckets: Record<string, number> | null;
}

/** Rows of `HourRow` of an environment from its sums. */
function selectHours(
  { sql }: AuditedContext,
  rule: Rule,
  key: number,
  { from, before }: { from: string; before: string },
): Fragment {
  const { service = null, operation = null, outcomeType = null } = rule.subject;
  const range = sql`environment_key = ${key}::integer`;
  switch (sourceOf(rule)) {
    case 'errors': {
      const series = errorSeriesOf(rule);
      return sql`
        select (extract(epoch from date_trunc('hour', at, 'UTC')) * 1000)::float8 as hour, count(*)::float8 as entries, 0::float8 as errors,
          count(*)::float8 as spans, null::jsonb as buckets
        from errors_in(${key}::integer, ${series}::integer, ${service}::text, ${from}::timestamptz, ${before}::timestamptz)
        cross join lateral (select case ${series}::integer when 1 then noted_at else returned_at end as at) moment
        group by 1`;
    }
    case 'outcomes':
      return sql`
        select (extract(epoch from hour) * 1000)::float8 as hour, count(*)::float8 as entries, 0::float8 as errors, count(*)::float8 as spans, null::jsonb as buckets
        from (
          select date_trunc('hour', occurred_at, 'UTC') as hour from outcomes
          where ${range} and occurred_at >= ${from}::timestamptz and occurred_at < ${before}::timestamptz
            and (${outcomeType}::text is null or type = ${outcomeType})
          limit 1000000
        ) counted group by hour`;
    default:
      return sql`
        with asked as materialized (
          select minute, spans, status, buckets, counts, entry and (${operation}::text is null or operation = ${operation}) as is_asked
          from span_hours
          where ${range} and minute >= ${from}::timestamptz and minute < ${before}::timestamptz
            and (${service}::text is null or service = ${service})
        ), cell as (
          select minute, bucket, sum(held) as held from asked cross join unnest(buckets, counts) as c(bucket, held)
          where is_asked and ${rule.metric.startsWith('p')}::boolean group by minute, bucket
        ), histogram as (select minute, jsonb_object_agg(bucket, held) as buckets from cell group by minute)
        select (extract(epoch from minute) * 1000)::float8 as hour, coalesce(sum(spans) filter (where is_asked), 0)::float8 as entries,
          coalesce(sum(spans) filter (where is_asked and status = 2), 0)::float8 as errors, sum(spans)::float8 as spans,
          (select buckets from histogram where histogram.minute = asked.minute) as buckets
        from asked group by minute`;
  }
}

/** By whole hours: counts are scaled to `forMinutes`. What isn't summed by the hour has no preview. */
async function previewEnvironment(
  ctx: AuditedContext,
  rule: Rule,
  owned: Owned,
  to: number,
): Promise<AlertPreview> {
  const from = to - PREVIEW_DAYS * DAY_MS;
  const weeks = isRelative(rule) ? BASELINE_WEEKS : 0;
  const readFrom = from - (weeks * 7 + 2) * DAY_MS;
  const source = sourceOf(rule);
  if (source === 'logs' || source === 'metric')
    return {
      from: iso(from),
      to: iso(to),
      stepMinutes: 60,
      countedFrom: null,
      values: [],
      firings: [],
      fired: 0,
    };
  const rows = await reach(selectHours(ctx, rule, owned.key, { from: iso(readFrom), before: iso(to) }));
  const hours = new Map((rows as HourRow[]).map((row) => [row.hour, row]));
  const asked = {
    ...{ rule, key: owned.key, zone: 'UTC', goalKey: null },
    firstAt: owned.first_at?.getTime() ?? (source === 'outcomes' || source === 'errors' ? 0 : null),
  };
  const length = Math.max(1, Math.ceil(rule.forMinutes / 60));
  const scale = source === 'received' ? 1 : Math.min(1, rule.forMinutes / 60);
  // New errors aren't scaled: one within the hour is one in each time that has it.
  const isCount = rule.metric === 'requests' || rule.metric === 'outcomes';
  const readAt = (at: number): Reading => {
    if (asked.firstAt === null || at <= asked.firstAt) return { value: null, reason: 'never_received' };
    const sums = windowsOf({ ...asked, at }).map(({ weeks: week }): WindowSum => {
      const sum = { ...NOTHING, buckets: {} as Record<string, number> };
      for (let n = 1; n <= length; n++) {
        const row = hours.get(at - week * 7 * DAY_MS - n * HOUR_MS);
        if (row === undefined) continue;
        sum.total += row.entries * (isCount ? scale : 1);
        sum.errors += row.errors;
        sum.isAlive ||= row.spans > 0;
        if (row.spans > 0) sum.lastAt = Math.max(sum.lastAt ?? 0, at - (n - 1) * HOUR_MS);
        for (const [bucket, count] of Object.entries(row.buckets ?? {}))
          sum.buckets[bucket] = (sum.buckets[bucket] ?? 0) + count;
      }
      return { ...sum, ...(rule.metric === 'silence' && sum.lastAt === null && { lastAt: 0 }) };
    });
    return readingOf({ ...asked, at }, sums);
  };
  const last = Math.floor(ctx.now() / HOUR_MS) * HOUR_MS;
  return toPreview(rule, { from, to: last, stepMs: HOUR_MS, countedFrom: asked.firstAt }, readAt);
}

interface Stretch {
  from: number;
  to: number;
  stepMs: number;
  countedFrom: number | null;
}

/** Steps through the stretch as rounds would have. */
function toPreview(
  rule: Rule,
  { from, to, stepMs, countedFrom }: Stretch,
  readAt: (at: number) => Reading,
): AlertPreview {
  const values: AlertPreview['values'] = [];
  const firings: AlertPreview['firings'] = [];
  const isHigh = rule.compare === 'above' || rule.compare === 'rose_by';
  let status: AlertStatus = { state: 'ok', alarmSince: null, calmSince: null };
  let hour: { time: number; reading: Reading } | undefined;
  const close = (): void => {
    if (hour !== undefined)
      values.push({
        time: iso(hour.time),
        value: hour.reading.value,
        baseline: hour.reading.baseline ?? null,
      });
  };
  for (let at = from + stepMs; at <= to; at += stepMs) {
    const reading = readAt(at);
    const time = Math.floor((at - 1) / HOUR_MS) * HOUR_MS;
    if (hour?.time !== time) {
      close();
      hour = { time, reading };
    } else if (isFurther(reading.value, hour.reading.value, isHigh)) hour = { time, reading };
    const step = stepAlert(status, { at, holds: holds(rule, reading), muted: false });
    if (step.message === 'firing') firings.push({ from: iso(at), to: null, value: reading.value ?? 0 });
    const open = firings.at(-1);
    if (step.message === 'over' && open !== undefined) open.to = iso(at);
    status = step;
  }
  close();
  return {
    from: iso(from),
    to: iso(to),
    stepMinutes: 60,
    countedFrom: countedFrom === null ? null : iso(countedFrom),
    values,
    firings: firings.slice(-MAX_FIRINGS),
    fired: firings.length,
  };
}

const isFurther = (value: number | null, than: number | null, isHigh: boolean): boolean =>
  value !== null && (than === null || (isHigh ? value > than : value < than));
