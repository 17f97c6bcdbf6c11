/** A restored database has no statistics: `db:apply` brings them, and the report that needs them most doesn't depend on them. */
import { expect, test } from 'vitest';
import { reportRetention } from '../../lib/analytics/behaviour/retention.ts';
import { connectDatabase, type DriverFetch } from '../../lib/db.ts';
import { analyzeTables } from '../../tooling/schema/analyze-tables.ts';
import { createTenant } from '../security/tenant.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();

test('tables with rows and no statistics are analyzed, partitioned ones too, and once', () =>
  database().neon.withClient(async (client) => {
    await client.query(`
      create schema here; set search_path = here;
      create table t as select n from generate_series(1, 100) n;
      create table empty (n integer);
      create table parent (n integer) partition by range (n);
      create table part partition of parent for values from (0) to (1000);
      insert into parent select generate_series(1, 100);`);
    try {
      const lines: string[] = [];
      const run = () => analyzeTables(client, (line) => lines.push(line));
      await run();
      const { rows } = await client.query(`
        select tablename as name, inherited from pg_stats where schemaname = 'here' order by 1`);
      expect(rows).toEqual([
        { name: 'parent', inherited: true },
        { name: 'part', inherited: false },
        { name: 't', inherited: false },
      ]);
      await run();
      expect(lines).toEqual(['statistics']);
    } finally {
      await client.query('drop schema here cascade; reset search_path');
    }
  }));

test('`retention` with a negated filter reads the visits once, whatever the planner takes their number for', async () => {
  const asked: { query: string; params: unknown[] }[] = [];
  const fetch: DriverFetch = (url, init) => {
    const body = JSON.parse(String(init.body));
    asked.push(...(body.queries ?? [body]));
    return database().neon.fetch(url, init);
  };
  const sql = connectDatabase({ url: database().neon.url, endpoint: database().neon.endpoint, fetch });
  const { siteId, userId } = await createTenant(sql);
  await reportRetention(
    { sql, now: () => Date.now(), actor: { kind: 'session', sessionId: '', userId } },
    {
      siteId,
      range: { period: '30d' },
      filters: [{ dimension: 'source', operator: 'not', values: ['Google'] }],
      limit: 100,
      offset: 0,
    },
  );
  const report = asked.find(({ query }) => query.includes('first_week'));
  const rows = await sql.query(`explain ${report?.query}`, report?.params);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('CTE counts');
  expect(plan.match(/CTE Scan on seen/g)).toHaveLength(1);
  expect(plan.match(/CTE Scan on firsts/g)).toHaveLength(1);
});
