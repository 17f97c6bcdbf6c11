import type { Sql } from '../../lib/db.ts';
import {
  ACTS,
  ACTS_BY_RANK,
  CONTINUED,
  MACHINES,
  MAX_GAP_DAYS,
  ORIGINS,
  PAGES,
  PAGES_A_VISIT,
  RETURNS,
  SHOP,
  TIER_1,
  TIER_2,
} from './site-population.ts';

export const DAY_MS = 86_400_000;
/** Visits begin at the latest then, and last at most half an hour, so no visit crosses midnight or joins one of the next day. */
const LAST_START_MS = DAY_MS - 3_600_000;

export interface PlannedDay {
  /** The day's number, from the first day of the traffic. */
  number: number;
  /** Epoch milliseconds of the start of the day, UTC. */
  start: number;
  visitsADay: number;
  /** Epoch milliseconds of the last visit, if that is before the end of the day. */
  until?: number;
}

/**
 * Fills `bench.plan` with the visits of a day, one row per visit at any tier, the same at each call. `pages` holds pairs: milliseconds
 * from the start, and rank. The pages of a visit follow each other at even intervals. `host` 1 is the shop.
 */
export async function planDay(sql: Sql, day: PlannedDay): Promise<void> {
  const { number, start, visitsADay, until = start + DAY_MS } = day;
  const span = Math.min(until - start, LAST_START_MS);
  const visits = Math.round((visitsADay * (until - start)) / DAY_MS);
  await sql.transaction([
    sql`truncate bench.plan`,
    sql`select set_config('jit', 'off', true)`,
    sql`
    insert into bench.plan
    with numbered as (
      select ${number}::bigint * ${visitsADay}::bigint + n as visit from generate_series(1, ${visits}::bigint) n
    ),
    -- Who returns is picked among those of an earlier visit's number; anybody else is new and goes by the visit's own.
    people as (
      select visit,
        case when bench.draw(visit, 1) < ${RETURNS}::float8
          then visit - per_day * (bench.rank(bench.draw(visit, 2), ${MAX_GAP_DAYS}::integer) - 1)
            - floor(bench.draw(visit, 3) * per_day)::bigint
          else visit end as person
      from numbered, (select ${visitsADay}::bigint as per_day) d
    ),
    -- Most come in the middle of the day.
    begun as (
      select visit, person,
        floor(${span}::float8 * (u + sin(2 * pi() * u) / (4 * pi())))::bigint as start_ms
      from (select *, bench.draw(visit, 4) as u from people) p
    ),
    -- Who is back within an hour might still be in the same session.
    apart as (
      select * from (
        select *, start_ms - lag(start_ms) over (partition by person order by start_ms, visit) as since from begun
      ) b
      where since is null or since > 3600000
    ),
    drawn as (
      select visit, person, ${new Date(start).toISOString()}::timestamptz + start_ms * interval '1 millisecond' as started_at,
        case when bench.draw(person, 5) < ${TIER_1}::float8 then 1
          when bench.draw(person, 5) < ${TIER_1 + TIER_2}::float8 then 2 else 3 end as tier,
        bench.rank(bench.draw(person, 6), ${MACHINES.length}::integer) as machine,
        bench.rank(bench.draw(person, 7), (select count(*)::integer from bench.places)) as place,
        bench.rank(bench.draw(visit, 8), ${ORIGINS.length}::integer) as origin,
        (bench.draw(visit, 9) < ${SHOP}::float8)::integer as host,
        (${PAGES_A_VISIT}::integer[])[1 + floor(bench.draw(visit, 10) * ${PAGES_A_VISIT.length}::integer)::integer] as views,
        5000 + floor(115000 * power(bench.draw(visit, 11), 3))::integer as pace_ms,
        case when bench.draw(visit, 12) < ${ACTS}::float8
          then bench.rank(bench.draw(visit, 13), ${ACTS_BY_RANK.length}::integer) end as act
      from apart
    ),
    planned as (
      select *, tier = 3 and bench.draw(visit, 14) < ${CONTINUED}::float8 as continued,
        case when act is not null then (views - 1) * pace_ms + 2000 end as act_ms
      from drawn
    )
    select visit, person, tier, continued, started_at,
      case tier when 3 then md5('person ' || person)::uuid
        when 2 then md5('person ' || person || ' on day ' || ${number}::integer)::uuid end,
      machine, place, case when continued then 0 else origin end, host,
      (select array_agg(case n % 2 when 0 then n / 2 * pace_ms
          else bench.rank(bench.draw(visit * 8 + n / 2, 15), ${PAGES}::integer) end order by n)
        from generate_series(0, 2 * views - 1) n),
      pace_ms,
      -- At tier 3 the last that is heard of a visit is how long its last page was read.
      case tier when 3 then views * pace_ms - 1 else coalesce(act_ms, (views - 1) * pace_ms) end,
      act, act_ms,
      nullif(jsonb_strip_nulls(jsonb_build_object(
        'props', case when prop is not null
          then jsonb_build_object(prop, prop || ' ' || 1 + floor(bench.draw(visit, 16) * kinds)) end,
        'revenue', case when paid
          then jsonb_build_object('amount', 5 + floor(bench.draw(visit, 17) * 95) || '.90', 'currency', 'EUR') end)), '{}')
    from planned
    left join bench.acts on acts.rank = act
    where started_at + views * pace_ms * interval '1 millisecond' <= ${new Date(until).toISOString()}::timestamptz`,
    // Without it the planner would join the table as if it had hardly any row.
    sql`analyze bench.plan`,
  ]);
}
