import type { Sql } from '../../lib/db.ts';
import { ACTS_BY_RANK, COUNTRIES, MACHINES, ORIGINS, PAGES, REGIONS_A_COUNTRY } from './site-population.ts';

/**
 * Creates the schema `bench`: repeatable random numbers, the population as tables by rank, and `bench.plan`, which holds one day's
 * visits before they are stored (`planDay`). All or nothing.
 */
export async function makeHelpers(sql: Sql): Promise<void> {
  await sql.transaction([
    sql`create schema bench`,
    // From 0 (included) to 1 (excluded), always the same for the same visit and question.
    sql`
    create function bench.draw(visit bigint, question integer) returns float8
    language sql immutable parallel safe as $$
      select (hashint8extended(visit, question) & 9007199254740991) / 9007199254740992::float8
    $$`,
    // A power law: rank r has a weight of ln((r + 1) / r), about 1/r.
    sql`
    create function bench.rank(chance float8, ranks integer) returns integer
    language sql immutable parallel safe as $$
      select least(ranks, floor(power((ranks + 1)::float8, chance))::integer)
    $$`,
    // The vitals of a visit's page, numbered from 0: log-normal times, and `inp` for half of the pages. One row: after `from`, PostgreSQL
    // plans the function inline with its statement, elsewhere anew for each call.
    sql`
    create function bench.vitals(visit bigint, page bigint) returns table (data jsonb)
    language sql immutable parallel safe as $$
      select jsonb_strip_nulls(jsonb_build_object(
        'lcp', round((1800 * spread)::numeric), 'fcp', round((1000 * spread)::numeric), 'ttfb', round((300 * spread * spread)::numeric),
        'inp', case when bench.draw(visit * 8 + page, 19) < 0.5 then 8 * ceil(40 * bench.draw(visit * 8 + page, 20)) end,
        'cls', round(power(bench.draw(visit * 8 + page, 21), 4)::numeric / 2, 4)))
      from (select exp(0.5 * sqrt(-2 * ln(1 - bench.draw(visit * 8 + page, 17))) * cos(2 * pi() * bench.draw(visit * 8 + page, 18))) as spread) s
    $$`,
    sql`
    create table bench.pages as
    select rank, '/articles/' || rank as path, 'Article ' || rank || ' · Example' as title
    from generate_series(1, ${PAGES}::integer) rank`,
    sql`alter table bench.pages add primary key (rank)`,
    sql`
    create table bench.machines as
    select rank::integer, device, browser, os, screen
    from rows from (jsonb_to_recordset(${JSON.stringify(MACHINES)}::jsonb) as (device text, browser text, os text, screen text))
      with ordinality as m(device, browser, os, screen, rank)`,
    sql`
    create table bench.places as
    select (row_number() over (order by city_rank, region_rank, c.rank))::integer as rank, c.country, c.language,
      c.country || '-' || region_rank as region, c.country || ' city ' || region_rank || city_rank as city
    from rows from (jsonb_to_recordset(${JSON.stringify(COUNTRIES)}::jsonb) as (country text, language text))
      with ordinality as c(country, language, rank),
      generate_series(1, ${REGIONS_A_COUNTRY}::integer) region_rank, generate_series(1, ${REGIONS_A_COUNTRY}::integer) city_rank`,
    sql`
    create table bench.origins as
    select rank::integer, source, channel, "utmSource" as utm_source, "utmMedium" as utm_medium, "utmCampaign" as utm_campaign
    from rows from (jsonb_to_recordset(${JSON.stringify(ORIGINS)}::jsonb)
        as (source text, channel text, "utmSource" text, "utmMedium" text, "utmCampaign" text))
      with ordinality as o(source, channel, "utmSource", "utmMedium", "utmCampaign", rank)`,
    sql`
    create table bench.acts as
    select rank::integer, name, prop, kinds, coalesce(paid, false) as paid
    from rows from (jsonb_to_recordset(${JSON.stringify(ACTS_BY_RANK)}::jsonb)
        as (name text, prop text, kinds integer, paid boolean))
      with ordinality as a(name, prop, kinds, paid, rank)`,
    sql`
    create unlogged table bench.plan (
      visit bigint, person bigint, tier smallint, continued boolean, started_at timestamptz, visitor_id uuid,
      machine integer, place integer, origin integer, host integer, pages integer[], pace_ms integer, ends_ms integer,
      act integer, act_ms integer, act_data jsonb)`,
    sql`analyze bench.pages, bench.machines, bench.places, bench.origins, bench.acts`,
  ]);
}
