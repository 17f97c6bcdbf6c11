/** How much a fill stores. It is kept in the database, so that a fill is continued with the size that it began with. */
import type { Sql } from '../../lib/db.ts';

export interface FillSize {
  /** Page views and custom events of the large site. */
  site: number;
  /** Number of other sites. */
  sites: number;
  /** Page views and custom events of each of these. */
  each: number;
  /** Spans a day; log records and metric points a day are as many. */
  signals: number;
  /** Days of telemetry. */
  signalDays: number;
  /** Days of page views. */
  days: number;
}

/** Small enough for a first try: 4 million rows, some minutes. */
export const DEFAULT_SIZE: FillSize = {
  ...{ site: 2_000_000, sites: 10, each: 100_000, days: 90 },
  ...{ signals: 100_000, signalDays: 3 },
};

export interface Fill {
  size: FillSize;
  /** Epoch milliseconds: the end of everything that is filled in. */
  until: number;
}

/**
 * The fill of this database: begun now, or earlier. `asked` is what somebody wants of the size.
 *
 * @throws a sentence for the user if the fill began with another size
 */
export async function openFill(sql: Sql, asked: Partial<FillSize>, now: number): Promise<Fill> {
  await sql.transaction([
    sql`create table if not exists bench.pieces (
      name text primary key, rows bigint not null, ended_at timestamptz not null default clock_timestamp())`,
    sql`create table if not exists bench.fill (one boolean primary key default true check (one), size jsonb not null, until bigint not null)`,
    sql`create table if not exists bench.sites (
      number integer primary key, site_id uuid not null, site_key integer not null, project_id uuid not null, user_id uuid not null)`,
    sql`
      insert into bench.fill (size, until) values (${JSON.stringify({ ...DEFAULT_SIZE, ...asked })}::jsonb, ${now}::bigint)
      on conflict do nothing`,
  ]);
  const fill = await readFill(sql);
  const differs = Object.entries(asked).find(([name, value]) => fill.size[name as keyof FillSize] !== value);
  if (differs)
    throw new Error(
      `This database is being filled with another size: ${JSON.stringify(fill.size)}. Without options the fill goes on.`,
    );
  return fill;
}

/** The fill that was begun in this database. */
export async function readFill(sql: Sql): Promise<Fill> {
  const [row] = await sql`select size, until::float8 as until from bench.fill`;
  return row as Fill;
}

export interface FilledSite {
  /** 0 is the large site. */
  number: number;
  siteId: string;
  siteKey: number;
  projectId: string;
  userId: string;
}

/** The sites of the fill, the large one first. */
export async function readSites(sql: Sql): Promise<FilledSite[]> {
  const rows = await sql`
    select number, site_id as "siteId", site_key as "siteKey", project_id as "projectId", user_id as "userId"
    from bench.sites order by number`;
  return rows as FilledSite[];
}
