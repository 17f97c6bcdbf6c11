/** Umami's own schema, from the migrations in the folder in which it was built, and a month of traffic in it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { makeHelpers } from '../reports/bench-schema.ts';
import type { TrafficOptions } from '../reports/fill-report-site.ts';
import { storePlannedDays, UMAMI_WEBSITE } from '../reports/umami-baseline.ts';
import { connected } from '../reports/with-service.ts';

/** The website that page views are sent to while the month's one is left alone. */
export const TRACKED_WEBSITE = '0b9c7d52-51a6-4a2f-8d40-7a0d2f6a1c11';

/** Applies the migrations in the order of their names and makes two websites of the first account. */
export async function makeUmamiDatabase(folder: string, url: string): Promise<void> {
  const migrations = join(folder, 'prisma/migrations');
  const names = (await readdir(migrations, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      await client.query(await readFile(join(migrations, name, 'migration.sql'), 'utf8'));
    await client.query(
      `insert into website (website_id, name, domain, user_id, created_by)
       select id, 'bench', 'example.com', user_id, user_id from "user", unnest($1::uuid[]) id where username = 'admin'`,
      [[UMAMI_WEBSITE, TRACKED_WEBSITE]],
    );
    // The month is stored by the names of the baseline of the reports benchmark.
    await client.query(`create schema umami;
      create view umami.session as select * from public.session;
      create view umami.website_event as select * from public.website_event`);
  } finally {
    await client.end();
  }
}

export async function fillUmamiDatabase(
  url: string,
  traffic: TrafficOptions,
  onDay: (done: number, days: number) => void,
): Promise<void> {
  await connected(url, async (sql) => {
    await makeHelpers(sql);
    await storePlannedDays(sql, traffic, onDay);
    await sql`drop schema bench cascade`;
    await sql`vacuum analyze session, website_event`;
  });
}

/** Bytes of Umami's tables with their indexes. */
export const umamiBytes = (url: string): Promise<number> =>
  connected(url, async (sql) => {
    const [row] = await sql`
      select sum(pg_total_relation_size(oid))::float8 as bytes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
    return row?.bytes;
  });
