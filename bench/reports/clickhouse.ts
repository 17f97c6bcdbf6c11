/**
 * ClickHouse as a library of a folder of its own (bench/reports/README.md), with tables in the form of Plausible's: written anew from its
 * published schema, nothing is copied.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sql } from '../../lib/db.ts';
import { plannedDays, type TrafficOptions } from './fill-report-site.ts';
import { planDay } from './plan-day.ts';

export interface ClickHouse {
  /** The answer to a statement as JSON lines. */
  ask(statement: string): string;
  /** Inserts rows, one JSON text each. */
  insert(table: string, rows: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

interface Library {
  Session: new (
    path: string,
  ) => {
    query(statement: string, format: string): string;
    insert(rows: { table: string; values: Buffer; format: 'JSONEachRow' }): Promise<unknown>;
    cleanup(): void;
  };
}

export async function openClickHouse(folder: string): Promise<ClickHouse> {
  const { Session } = (await import(
    pathToFileURL(join(resolve(folder), 'node_modules/chdb/index.mjs')).href
  )) as Library;
  const data = await mkdtemp(join(tmpdir(), 'vendor-clickhouse-'));
  const session = new Session(data);
  return {
    ask: (statement) => session.query(statement, 'JSONEachRow'),
    insert: async (table, rows) =>
      void (await session.insert({ table, values: Buffer.from(rows.join('\n')), format: 'JSONEachRow' })),
    close: async () => {
      session.cleanup();
      await rm(data, { recursive: true, force: true });
    },
  };
}

const VISIT_COLUMNS = `
  hostname LowCardinality(String), source LowCardinality(String), channel LowCardinality(String), utm_medium LowCardinality(String),
  utm_source LowCardinality(String), utm_campaign LowCardinality(String), country FixedString(2), region LowCardinality(String),
  city LowCardinality(String), device LowCardinality(String), browser LowCardinality(String), os LowCardinality(String)`;
const TABLES = [
  `create table events (
    site_id UInt32, name LowCardinality(String), user_id UInt64, session_id UInt64, timestamp DateTime, pathname String, ${VISIT_COLUMNS}
  ) engine = MergeTree partition by toYYYYMM(timestamp) order by (site_id, toDate(timestamp), name, user_id, timestamp)`,
  `create table sessions (
    site_id UInt32, user_id UInt64, session_id UInt64, start DateTime, duration UInt32, pageviews UInt16, events UInt16, is_bounce UInt8,
    entry_page String, exit_page String, ${VISIT_COLUMNS}
  ) engine = MergeTree partition by toYYYYMM(start) order by (site_id, toDate(start), user_id, session_id)`,
];

/** Stores the traffic of `fillSite` day by day. The schema `bench` must exist. Every visit has a visitor: ClickHouse's peers have no tiers. */
export async function fillClickHouse(
  sql: Sql,
  clickHouse: ClickHouse,
  traffic: TrafficOptions,
): Promise<void> {
  for (const table of TABLES) clickHouse.ask(table);
  for (const day of plannedDays(traffic)) {
    await planDay(sql, day);
    await clickHouse.insert(
      'sessions',
      await rowsOf(
        sql,
        sql`
      select 1 as site_id, (hashint8extended(person, 1) & 9223372036854775807)::text as user_id, visit::text as session_id, extract(epoch from started_at)::bigint as start,
        (views - 1) * pace_ms / 1000 as duration, views as pageviews, views + (act is not null)::int as events, (views = 1 and act is null)::int as is_bounce,
        entry.path as entry_page, exit.path as exit_page, ${visitColumns(sql)}
      from ${visits(sql)}
      join bench.pages entry on entry.rank = pages[2] join bench.pages exit on exit.rank = pages[2 * views]`,
      ),
    );
    await clickHouse.insert(
      'events',
      await rowsOf(
        sql,
        sql`
      select 1 as site_id, hit.name, (hashint8extended(person, 1) & 9223372036854775807)::text as user_id, visit::text as session_id,
        extract(epoch from started_at + hit.ms * interval '1 millisecond')::bigint as timestamp, path as pathname, ${visitColumns(sql)}
      from ${visits(sql)}
      cross join lateral (
        select pages[2 * n - 1] as ms, pages[2 * n] as page, 'pageview' as name from generate_series(1, views) n
        union all
        select act_ms, pages[2 * views], acts.name from bench.acts where acts.rank = act
      ) hit
      join bench.pages page on page.rank = hit.page`,
      ),
    );
  }
  for (const table of ['events', 'sessions']) clickHouse.ask(`optimize table ${table} final`);
}

const visits = (sql: Sql) => sql`
  (select *, cardinality(pages) / 2 as views from bench.plan) plan
  join bench.machines on machines.rank = machine
  join bench.places on places.rank = place
  left join bench.origins on origins.rank = origin`;

const visitColumns = (sql: Sql) => sql`
  case host when 1 then 'shop.example.com' else 'example.com' end as hostname, coalesce(source, 'Direct') as source, coalesce(channel, 'Direct') as channel,
  coalesce(utm_medium, '') as utm_medium, coalesce(utm_source, '') as utm_source, coalesce(utm_campaign, '') as utm_campaign, country, region, city, device, browser, os`;

async function rowsOf(sql: Sql, rows: ReturnType<Sql>): Promise<string[]> {
  const found = await sql`select row_to_json(r)::text as row from (${rows}) r`;
  return found.map(({ row }) => row as string);
}

/** The statements of a page with twelve reports over 90 days. `unique`: how it counts visitors. */
export function statementsOf({
  from,
  kept,
  unique,
}: {
  from: string;
  kept: Filter | undefined;
  unique: 'uniq' | 'uniqExact';
}): string[] {
  const of = (table: 'events' | 'sessions', time: string): string =>
    `from ${table} where site_id = 1 and ${time} >= toDateTime('${from}', 'UTC') ${kept === undefined ? '' : `and ${conditionOf(kept)}`}`;
  const sessions = of('sessions', 'start');
  const list = (by: string): string =>
    `select ${by} as name, ${unique}(user_id) as visitors, count() as visits ${sessions} group by name order by visitors desc limit 11`;
  return [
    `select ${unique}(user_id), count(), sum(pageviews), avg(is_bounce), avg(duration) ${sessions}`,
    `select toDate(start, 'UTC') as day, ${unique}(user_id), count(), sum(pageviews) ${sessions} group by day order by day`,
    `select pathname, ${unique}(user_id) as visitors, count() ${of('events', 'timestamp')} and name = 'pageview' group by pathname order by visitors desc limit 11`,
    ...['entry_page', 'exit_page', 'source', 'channel', 'country', 'region', 'device', 'browser', 'os'].map(
      list,
    ),
  ];
}

export interface Filter {
  dimension: 'country' | 'browser' | 'device' | 'page';
  value: string;
}

const conditionOf = ({ dimension, value }: Filter): string =>
  dimension === 'page'
    ? `session_id in (select session_id from events where site_id = 1 and pathname = '${value}')`
    : `${dimension} = '${value}'`;
