import { beforeEach, describe, expect, test } from 'vitest';
import type { Sql } from '../../../lib/db.ts';
import { expireTelemetry } from '../../../lib/telemetry/maintain-telemetry.ts';
import { useDatabase } from '../../services/database.ts';
import {
  DAY_MS,
  type Environment,
  environmentTables,
  newEnvironment,
  receive,
  rowsOf,
  totalOf,
} from './telemetry-rows.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T15:00:00.000Z');

beforeEach(async () => {
  const { sql } = database();
  await sql`delete from environments`;
  for (const table of await environmentTables(sql)) await sql`truncate ${sql.unsafe(table)}`;
});

const keep = (
  sql: Sql,
  { environmentId }: Environment,
  traces: number,
  logs = traces,
  metrics = traces,
) => sql`
  update environments set traces_days = ${traces}::smallint, logs_days = ${logs}::smallint, metrics_days = ${metrics}::smallint,
    expired_on = '-infinity' where id = ${environmentId}`;
const run = (sql: Sql, days = 0) => expireTelemetry({ sql, now: () => NOW + days * DAY_MS });
const ago = (days: number) => NOW - days * DAY_MS;

/** The age of each row, in days before the day of NOW. */
async function daysOf(sql: Sql, { environmentKey }: Environment) {
  const ages = async (table: string) => {
    const rows = await sql`
      select ${new Date(NOW).toISOString().slice(0, 10)}::date - day as age from ${sql.unsafe(table)} where environment_key = ${environmentKey} order by 1`;
    return rows.map(({ age }) => age as number);
  };
  return { traces: await ages('spans'), logs: await ages('logs'), metrics: await ages('metric_points') };
}

const partitionsOf = async (sql: Sql, table: string) =>
  (
    await sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`
  ).map(({ name }) => name as string);

test('each signal is kept for its whole days, to the day', async () => {
  const { sql } = database();
  const [environment, keeper] = [await newEnvironment(sql), await newEnvironment(sql)];
  await keep(sql, environment, 3, 5, 7);
  for (const of of [environment, keeper])
    for (let days = 0; days <= 10; days++) await receive(sql, of, ago(days));
  await run(sql);
  const upTo = (days: number) => Array.from({ length: days + 1 }, (_, n) => n);
  expect(await daysOf(sql, environment)).toEqual({ traces: upTo(3), logs: upTo(5), metrics: upTo(7) });
  expect(await daysOf(sql, keeper)).toEqual({ traces: upTo(10), logs: upTo(10), metrics: upTo(10) });
  const parts = await sql`
    select count(*)::integer as count from span_parts
    where environment_key = ${environment.environmentKey} and minute < ${new Date(ago(4)).toISOString()}`;
  expect(parts).toEqual([{ count: 0 }]);
  const rows = await rowsOf(sql, environment);
  expect([rows.span_parts, rows.metric_touched]).toEqual([4, 8]);
});

test('the first instant of the first day is kept, the last before it is not', async () => {
  const { sql } = database();
  const [environment, keeper] = [await newEnvironment(sql), await newEnvironment(sql)];
  await keep(sql, environment, 2);
  const first = Date.parse('2026-11-19T00:00:00.000Z');
  for (const of of [environment, keeper]) for (const at of [first, first - 1]) await receive(sql, of, at);
  await run(sql);
  expect(await daysOf(sql, environment)).toEqual({ traces: [2], logs: [2], metrics: [2] });
});

test('days that no environment keeps are dropped whole, unless another signal or environment keeps them', async () => {
  const { sql } = database();
  const [short, long] = [await newEnvironment(sql), await newEnvironment(sql)];
  await keep(sql, short, 2);
  await keep(sql, long, 10, 4, 4);
  for (const of of [short, long]) for (const days of [0, 3, 8, 12]) await receive(sql, of, ago(days));
  const days = async (table: string) => {
    const names = await partitionsOf(sql, table);
    return ['20261109', '20261113', '20261118', '20261121'].filter((day) =>
      names.includes(`${table}_${day}`),
    );
  };
  expect([(await days('spans')).length, (await days('logs')).length]).toEqual([4, 4]);
  await run(sql);
  expect(await days('spans')).toEqual(['20261113', '20261118', '20261121']);
  expect(await days('logs')).toEqual(['20261118', '20261121']);
  expect(await daysOf(sql, long)).toEqual({ traces: [0, 3, 8], logs: [0, 3], metrics: [0, 3] });
  expect(await daysOf(sql, short)).toEqual({ traces: [0], logs: [0], metrics: [0] });
  // A late item of a dropped day is accepted, and deleted by the run on the next day.
  await receive(sql, short, ago(8));
  expect(await days('logs')).toContain('20261113');
  await run(sql, 1);
  expect(await days('logs')).not.toContain('20261113');
  expect(await daysOf(sql, short)).toEqual({ traces: [0], logs: [0], metrics: [0] });
});

test('the first rows of a day by many at once are all stored', async () => {
  const { sql } = database();
  const environments = await Promise.all(Array.from({ length: 8 }, () => newEnvironment(sql)));
  for (const days of [-1, 25, 26, 27, 28]) {
    await Promise.all(environments.map((environment) => receive(sql, environment, ago(days))));
    for (const environment of environments)
      expect((await daysOf(sql, environment)).traces.filter((age) => age === days)).toEqual([days]);
  }
});

test('a day that is dropped while something late is written into it fails nobody', async () => {
  const { sql } = database();
  const environment = await newEnvironment(sql);
  await keep(sql, environment, 2);
  const write = async () => {
    for (let n = 0; n < 6; n++) await receive(sql, environment, ago(20 + (n % 2)));
  };
  const drop = async () => {
    for (let n = 0; n < 12; n++) await run(sql);
  };
  await Promise.all([write(), drop(), write(), drop(), write()]);
  await run(sql, 1);
  expect(await daysOf(sql, environment)).toEqual({ traces: [], logs: [], metrics: [] });
});

test('a day that another run has dropped since it was found is dropped', async () => {
  const { sql } = database();
  await sql`create table found_before (n int)`;
  const [found] = await sql`select 'found_before'::regclass::oid::text as number`;
  await sql`drop table found_before`;
  expect(await sql`select drop_partition(${found?.number}::regclass) as dropped`).toEqual([
    { dropped: true },
  ]);
});

test('resources, scopes and series are forgotten when nothing of them can be there, and not before', async () => {
  const { sql } = database();
  const [environment, keeper] = [await newEnvironment(sql), await newEnvironment(sql)];
  await keep(sql, environment, 1, 3, 1);
  await keep(sql, keeper, 90);
  for (const of of [environment, keeper]) {
    await receive(sql, of, ago(6), 'gone');
    await receive(sql, of, ago(3), 'lately');
    await receive(sql, of, ago(0), 'now');
  }
  const names = async ({ environmentKey }: Environment) => {
    const rows =
      await sql`select service from otlp_resources where environment_key = ${environmentKey} order by 1`;
    return rows.map(({ service }) => service as string);
  };
  const missing = () => sql`
    select from logs left join otlp_resources r on r.environment_key = logs.environment_key and r.id = resource_id
    left join otlp_scopes s on s.environment_key = logs.environment_key and s.id = scope_id
    where r.id is null or s.id is null`;
  const series = async ({ environmentKey }: Environment) =>
    (await sql`select from metric_series where environment_key = ${environmentKey}`).length;
  await run(sql);
  expect([await names(environment), await names(keeper)]).toEqual([
    ['lately', 'now'],
    ['gone', 'lately', 'now'],
  ]);
  expect([await series(environment), await series(keeper)]).toEqual([2, 3]);
  expect(await missing()).toEqual([]);
  await run(sql, 5);
  expect(await names(environment)).toEqual(['now']);
  expect(await missing()).toEqual([]);
  // A name that comes again is stored again.
  await receive(sql, environment, NOW + 5 * DAY_MS, 'gone');
  expect(await names(environment)).toEqual(['gone', 'now']);
});

test('services and errors that didn’t come again for 90 days are forgotten', async () => {
  const { sql } = database();
  const environment = await newEnvironment(sql);
  for (const [service, days] of [
    ['old', 91],
    ['known', 89],
  ] as const)
    await sql`
      insert into telemetry_connections values (${environment.environmentKey}, 'traces', ${service}, ${new Date(ago(days)).toISOString()})`;
  await sql`
    insert into telemetry_errors values
      (${environment.environmentKey}, 'traces', ${new Date(ago(91)).toISOString()}, 400, 'Old.'),
      (${environment.environmentKey}, 'logs', ${new Date(ago(89)).toISOString()}, 400, 'Known.')`;
  await run(sql);
  const services =
    await sql`select service from telemetry_connections where environment_key = ${environment.environmentKey}`;
  const errors =
    await sql`select message from telemetry_errors where environment_key = ${environment.environmentKey}`;
  expect([services, errors]).toEqual([[{ service: 'known' }], [{ message: 'Known.' }]]);
});

describe('in pieces', () => {
  const killed = new Error('killed');

  test('a run that is killed after any piece is continued, and others are not touched', async () => {
    const { sql } = database();
    const [first, second, keeper] = [
      await newEnvironment(sql),
      await newEnvironment(sql),
      await newEnvironment(sql),
    ];
    for (const of of [first, second, keeper])
      for (let n = 0; n < 12; n++) await receive(sql, of, ago(n), `service ${n}`);
    const before = await rowsOf(sql, keeper);
    for (const of of [first, second]) await keep(sql, of, 2);
    let runs = 0;
    for (let left = Number.POSITIVE_INFINITY; ; runs++) {
      let asked = 0;
      const now = () => {
        asked += 1;
        if (asked > 3 + (runs % 3)) throw killed;
        return NOW;
      };
      const outcome = await expireTelemetry({ sql, now }, { maxRows: 5 }).catch((error: unknown) => error);
      const rows = totalOf(await rowsOf(sql, first)) + totalOf(await rowsOf(sql, second));
      expect(rows).toBeLessThanOrEqual(left);
      left = rows;
      if (outcome !== killed) break;
      expect(runs).toBeLessThan(200);
    }
    expect(runs).toBeGreaterThan(5);
    for (const of of [first, second])
      expect(await daysOf(sql, of)).toEqual({ traces: [0, 1, 2], logs: [0, 1, 2], metrics: [0, 1, 2] });
    expect(await rowsOf(sql, keeper)).toEqual(before);
  });

  test('a run after one that was done finds nothing to do, and one of the next day something', async () => {
    const { sql } = database();
    const [environment, keeper] = [await newEnvironment(sql), await newEnvironment(sql)];
    await keep(sql, environment, 1);
    for (const of of [environment, keeper]) for (const days of [0, 1, 2]) await receive(sql, of, ago(days));
    expect((await run(sql)).deletedRows).toBeGreaterThan(0);
    expect(await run(sql)).toEqual({ deletedRows: 0 });
    const [{ n } = {}] =
      await sql`select count(*)::integer as n from environments where expired_on < '2026-11-21'`;
    expect(n).toBe(0);
    expect((await run(sql, 1)).deletedRows).toBeGreaterThan(0);
    expect(await daysOf(sql, environment)).toEqual({ traces: [0], logs: [0], metrics: [0] });
  });
});

test('every table of an environment either ends by time, or is known to end otherwise', async () => {
  const { sql } = database();
  const timed = await sql`select name::text from telemetry_tables`;
  const known = [
    // Kept as long as their environment.
    'outcomes',
    'outcome_sendings',
    // Deleted after 90 days, or after 10 minutes.
    'telemetry_connections',
    'telemetry_counts',
    'telemetry_errors',
    'telemetry_receipts',
  ];
  expect([...timed.map(({ name }) => name), ...known].sort()).toEqual(await environmentTables(sql));
});
