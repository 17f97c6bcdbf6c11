/** The driver gives up at its deadline and can't cancel what it asked: the database ends the statement soon after. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { connectDatabase, DEADLINES_MS } from '../../lib/db.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { useDatabase } from '../services/database.ts';
import { SERVER } from '../services/server.ts';

const AFTER_DEADLINE_MS = 2000;
const LONGEST = {
  account: DEADLINES_MS.reports,
  sites: DEADLINES_MS.reports,
  analytics: DEADLINES_MS.reports,
  telemetry: DEADLINES_MS.reports,
  mcp: DEADLINES_MS.reports,
  receiver: DEADLINES_MS.background,
  ingest: DEADLINES_MS.background,
};

const database = useDatabase();

const limitOf = async (url: string) => {
  const [row] = await connectDatabase({ url, endpoint: database().neon.endpoint })`
    select setting::integer as ms from pg_settings where name = 'statement_timeout'`;
  return row?.ms;
};

test.each(Object.entries(LONGEST))('%s: %d ms, and two seconds', async (fn, deadline) => {
  expect(await limitOf(database().neon.urlOf(`vendor_${fn}`))).toBe(deadline + AFTER_DEADLINE_MS);
  expect(await limitOf(database().neon.url)).toBe(0);
  const [role] = await database().sql`
    select rolconnlimit as connections from pg_roles where rolname = ${`vendor_${fn}`}`;
  expect(role?.connections).toBe(40);
});

test('who signs in has the same limit, and what was given up ends', async () => {
  const admin = new pg.Client({ connectionString: SERVER });
  await admin.connect();
  const role = `vendor_test_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  try {
    await admin.query(`create role ${role} login password '${password}' connection limit 4`);
    await admin.query(`alter role ${role} set statement_timeout = '400ms'`);
    const url = Object.assign(new URL(SERVER), { username: role, password });
    const own = await startNeon({ database: { url: SERVER }, passwords: 'server' });
    try {
      const sql = connectDatabase({ url: url.href, endpoint: own.endpoint, deadlineMs: 200 });
      const local = connectDatabase({
        url: database().neon.urlOf(role),
        endpoint: database().neon.endpoint,
        deadlineMs: 200,
      });
      await Promise.all([sql`select 1`, local`select 1`]);
      const asked = [sql, local].map((one) => one.query(`select pg_sleep(60), '${role}' as asked`));
      for (const one of await Promise.allSettled(asked)) expect(one.status).toBe('rejected');
      const running = async () =>
        (
          await admin.query(
            "select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and strpos(query, $1) > 0",
            [role],
          )
        ).rowCount;
      await expect.poll(running, { timeout: 10_000 }).toBe(0);
    } finally {
      await own.close();
    }
  } finally {
    await admin.query(`drop role if exists ${role}`);
    await admin.end();
  }
});
