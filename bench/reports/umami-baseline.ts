/**
 * The baseline: the tables of Umami 3.1 on PostgreSQL, one row per event with 15 indexes and separate sessions, and its queries.
 * Written anew from its published schema (prisma/schema.prisma) and queries (src/queries/sql); nothing is copied.
 */
import type { Sql } from '../../lib/db.ts';
import { DAYS, plannedDays, type TrafficOptions } from './fill-report-site.ts';
import { DAY_MS, planDay } from './plan-day.ts';
import type { Question } from './report-questions.ts';

export const UMAMI_WEBSITE = '6e5d1c9a-0f43-4c5b-9d0e-2f1b7f0c8a11';

export interface UmamiSize {
  /** Rows of `website_event`: page views and custom events. */
  events: number;
  bytes: number;
}

/**
 * Loads the same traffic as `fillSite`, whose schema `bench` must exist. Umami has no tiers: it stores a session per month with all
 * fields for every visitor, and every page view belongs to a visit. The indexes exist from the start, as in production.
 */
export async function fillUmami(
  sql: Sql,
  options: TrafficOptions,
  onDay: (done: number, days: number) => void = () => {},
): Promise<UmamiSize> {
  await makeTables(sql);
  await storePlannedDays(sql, options, onDay);
  await sql`vacuum analyze umami.session, umami.website_event`;
  const [size] = await sql`
    select (select count(*) from umami.website_event)::float8 as events,
      (pg_total_relation_size('umami.session') + pg_total_relation_size('umami.website_event'))::float8 as bytes`;
  return size as UmamiSize;
}

/** Stores the traffic day by day in `umami.session` and `umami.website_event`. The schema `bench` must exist. */
export async function storePlannedDays(
  sql: Sql,
  options: TrafficOptions,
  onDay: (done: number, days: number) => void,
): Promise<void> {
  const days = plannedDays(options);
  for (const day of days) {
    await planDay(sql, day);
    await storePlan(sql);
    onDay(day.number + 1, days.length);
  }
}

async function makeTables(sql: Sql): Promise<void> {
  await sql`create schema umami`;
  await sql`
    create table umami.session (
      session_id uuid primary key, website_id uuid not null, browser varchar(20), os varchar(20), device varchar(20),
      screen varchar(11), language varchar(35), country char(2), region varchar(20), city varchar(50), distinct_id varchar(50),
      created_at timestamptz(6) default now())`;
  await sql`
    create table umami.website_event (
      event_id uuid primary key, website_id uuid not null, session_id uuid not null, visit_id uuid not null,
      created_at timestamptz(6) default now(), url_path varchar(500) not null, url_query varchar(500), utm_source varchar(255),
      utm_medium varchar(255), utm_campaign varchar(255), utm_content varchar(255), utm_term varchar(255),
      referrer_path varchar(500), referrer_query varchar(500), referrer_domain varchar(500), page_title varchar(500),
      gclid varchar(255), fbclid varchar(255), msclkid varchar(255), ttclid varchar(255), li_fat_id varchar(255),
      twclid varchar(255), event_type integer not null default 1, event_name varchar(50), tag varchar(50),
      hostname varchar(100), lcp numeric(10, 1), inp numeric(10, 1), cls numeric(10, 4), fcp numeric(10, 1), ttfb numeric(10, 1))`;
  await sql.transaction([
    sql`create index on umami.session (created_at)`,
    sql`create index on umami.session (website_id)`,
    sql`create index on umami.session (website_id, created_at)`,
    sql`create index on umami.session (website_id, created_at, browser)`,
    sql`create index on umami.session (website_id, created_at, os)`,
    sql`create index on umami.session (website_id, created_at, device)`,
    sql`create index on umami.session (website_id, created_at, screen)`,
    sql`create index on umami.session (website_id, created_at, language)`,
    sql`create index on umami.session (website_id, created_at, country)`,
    sql`create index on umami.session (website_id, created_at, region)`,
    sql`create index on umami.session (website_id, created_at, city)`,
    sql`create index on umami.website_event (created_at)`,
    sql`create index on umami.website_event (session_id)`,
    sql`create index on umami.website_event (visit_id)`,
    sql`create index on umami.website_event (website_id)`,
    sql`create index on umami.website_event (website_id, created_at)`,
    sql`create index on umami.website_event (website_id, created_at, url_path)`,
    sql`create index on umami.website_event (website_id, created_at, url_query)`,
    sql`create index on umami.website_event (website_id, created_at, referrer_domain)`,
    sql`create index on umami.website_event (website_id, created_at, page_title)`,
    sql`create index on umami.website_event (website_id, created_at, event_name)`,
    sql`create index on umami.website_event (website_id, created_at, tag)`,
    sql`create index on umami.website_event (website_id, session_id, created_at)`,
    sql`create index on umami.website_event (website_id, visit_id, created_at)`,
    sql`create index on umami.website_event (website_id, created_at, hostname)`,
  ]);
}

/** The visits of `bench.plan` as rows of both tables. */
async function storePlan(sql: Sql): Promise<void> {
  await sql.transaction([
    sql`select set_config('jit', 'off', true), set_config('synchronous_commit', 'off', true)`,
    sql`
    insert into umami.session (
      session_id, website_id, browser, os, device, screen, language, country, region, city, created_at)
    select distinct on (session_id) session_id, ${UMAMI_WEBSITE}::uuid, browser, os, device, screen, language, country, region, city,
      started_at
    from (select *, md5(person || ' in ' || date_trunc('month', started_at, 'UTC'))::uuid as session_id from bench.plan) p
    join bench.machines on machines.rank = machine
    join bench.places on places.rank = place
    order by session_id, started_at
    on conflict do nothing`,
    sql`
    insert into umami.website_event (
      event_id, website_id, session_id, visit_id, created_at, url_path, utm_source, utm_medium, utm_campaign, referrer_domain,
      page_title, event_type, event_name, hostname)
    with known as (
      select plan.*, md5(person || ' in ' || date_trunc('month', started_at, 'UTC'))::uuid as session_id,
        md5('visit ' || visit)::uuid as visit_id, case host when 1 then 'shop.example.com' else 'example.com' end as hostname
      from bench.plan
    )
    select gen_random_uuid(), ${UMAMI_WEBSITE}::uuid, session_id, visit_id, at, path, utm_source, utm_medium, utm_campaign, referrer,
      title, type, event_name, hostname
    from (
      select session_id, visit_id, started_at + hit.ms * interval '1 millisecond' as at, pages.path, utm_source, utm_medium,
        utm_campaign, case when source is not null then lower(source) || '.com' else '' end as referrer, pages.title, 1 as type,
        null as event_name, hostname
      from known
      cross join lateral (
        select known.pages[2 * n - 1] as ms, known.pages[2 * n] as rank from generate_series(1, cardinality(known.pages) / 2) n
      ) hit
      join bench.pages on pages.rank = hit.rank
      left join bench.origins on origins.rank = known.origin and hit.ms = 0
      union all
      select session_id, visit_id, started_at + act_ms * interval '1 millisecond', pages.path, null, null, null, '', pages.title, 2,
        acts.name, hostname
      from known
      join bench.acts on acts.rank = act
      join bench.pages on pages.rank = known.pages[cardinality(known.pages)]
    ) e
    order by at`,
  ]);
}

/** Umami's counterparts of our reports, by our names, over the same 90 days. */
export function questionsOnUmami(sql: Sql, now: number): Question[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const from = new Date(today - (DAYS - 1) * DAY_MS).toISOString();
  const to = new Date(today + DAY_MS - 1).toISOString();
  const inRange = sql`
    event.website_id = ${UMAMI_WEBSITE}::uuid and event.created_at between ${from}::timestamptz and ${to}::timestamptz
    and event.event_type not in (2, 5)`;
  const withSession = sql`
    join umami.session on session.session_id = event.session_id and session.website_id = event.website_id`;
  const question = (name: string, ask: () => Promise<Record<string, unknown>[]>): Question => ({
    name,
    ask: async () => ({ data: await ask() }),
  });
  return [
    question(
      'overview',
      () => sql`
      select sum(views)::float8 as pageviews, count(distinct session_id) as visitors, count(distinct visit_id) as visits,
        sum(case views when 1 then 1 else 0 end) as bounces, sum(floor(extract(epoch from last_at - first_at))) as seconds
      from (
        select event.session_id, event.visit_id, count(*) as views, min(event.created_at) as first_at, max(event.created_at) as last_at
        from umami.website_event event where ${inRange} group by 1, 2
      ) visit`,
    ),
    question(
      'timeseries',
      () => sql`
      select to_char(date_trunc('day', event.created_at), 'YYYY-MM-DD') as day, count(*) as pageviews
      from umami.website_event event where ${inRange} group by 1 order by 1`,
    ),
    question(
      'pages',
      () => sql`
      select event.url_path, count(distinct event.session_id) as visitors
      from umami.website_event event where ${inRange} and event.url_path <> '' group by 1 order by 2 desc limit 10`,
    ),
    question(
      'sources',
      () => sql`
      select event.referrer_domain, count(distinct event.session_id) as visitors
      from umami.website_event event
      where ${inRange} and event.referrer_domain <> '' and event.referrer_domain <> regexp_replace(event.hostname, '^www.', '')
      group by 1 order by 2 desc limit 10`,
    ),
    question(
      'countries',
      () => sql`
      select session.country, count(distinct event.session_id) as visitors
      from umami.website_event event ${withSession} where ${inRange} and session.country <> '' group by 1 order by 2 desc limit 10`,
    ),
    question(
      'browsers',
      () => sql`
      select session.browser, count(distinct event.session_id) as visitors
      from umami.website_event event ${withSession} where ${inRange} and session.browser <> '' group by 1 order by 2 desc limit 10`,
    ),
    question(
      'devices',
      () => sql`
      select session.device, count(distinct event.session_id) as visitors
      from umami.website_event event ${withSession} where ${inRange} and session.device <> '' group by 1 order by 2 desc limit 10`,
    ),
  ];
}
