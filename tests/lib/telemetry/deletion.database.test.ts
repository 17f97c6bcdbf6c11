/** Deleting an environment deletes its telemetry: nobody sees it from the start, and in the end no table has a row of it. */
import { beforeEach, expect, test } from 'vitest';
import type { Sql } from '../../../lib/db.ts';
import { findIngestKey } from '../../../lib/projects/find-ingest-key.ts';
import { continueTelemetryDeletions, maintainTelemetry } from '../../../lib/telemetry/maintain-telemetry.ts';
import { hashToken } from '../../../lib/tokens.ts';
import { addIngestKey } from '../../security/session.ts';
import { useDatabase } from '../../services/database.ts';
import {
  confirm,
  DAY_MS,
  type Environment,
  environmentTables,
  fillRest,
  newEnvironment,
  receive,
  rowsOf,
  totalOf,
} from './telemetry-rows.ts';

const database = useDatabase();
const MINUTE_MS = 60_000;

beforeEach(async () => {
  await database().sql`delete from telemetry_deletions`;
});

/** An environment with rows of several days in every table. */
async function fullEnvironment(sql: Sql): Promise<Environment> {
  const environment = await newEnvironment(sql);
  for (const days of [0, 1, 2, 20]) await receive(sql, environment, Date.now() - days * DAY_MS);
  await confirm(sql, environment, Date.now());
  await fillRest(sql, environment);
  const rows = await rowsOf(sql, environment);
  expect(Object.entries(rows).filter(([, n]) => n === 0)).toEqual([]);
  return environment;
}

const remove = (sql: Sql, { environmentId }: Environment) =>
  sql`delete from environments where id = ${environmentId}`;
/** The database's clock has microseconds: what was queued in this millisecond is due in the next one. */
const later = (sql: Sql, minutes: number) => ({ sql, now: () => Date.now() + 1 + minutes * MINUTE_MS });
const queued = async (sql: Sql) => (await sql`select from telemetry_deletions`).length;

test('there are tables to look at', async () => {
  expect(await environmentTables(database().sql)).toEqual(
    expect.arrayContaining([
      'spans',
      'logs',
      'metric_points',
      'metric_series',
      'otlp_resources',
      'otlp_scopes',
      'span_parts',
      'span_minutes',
      'span_hours',
      'outcomes',
      'outcome_sendings',
      'telemetry_receipts',
      'telemetry_connections',
      'telemetry_errors',
    ]),
  );
});

test.each([
  ['an environment', (sql: Sql, environment: Environment) => remove(sql, environment)],
  ['its project', (sql: Sql, { projectId }: Environment) => sql`select delete_project(${projectId})`],
  [
    'its project’s row',
    (sql: Sql, { projectId }: Environment) => sql`delete from projects where id = ${projectId}`,
  ],
])('deleting %s leaves no row of it in any table, and all of another’s', async (_, del) => {
  const { sql } = database();
  const [environment, other] = [await fullEnvironment(sql), await fullEnvironment(sql)];
  const before = await rowsOf(sql, other);
  await del(sql, environment);
  await continueTelemetryDeletions(later(sql, 0));
  expect(totalOf(await rowsOf(sql, environment))).toBe(0);
  expect(await rowsOf(sql, other)).toEqual(before);
});

test('its keys are gone at once', async () => {
  const { sql } = database();
  const environment = await newEnvironment(sql);
  const { key } = await addIngestKey(sql, environment.projectId);
  await remove(sql, environment);
  expect(await findIngestKey({ sql }, await hashToken(key))).toBeUndefined();
});

test('pieces are bounded, and a run that is killed after any of them is continued', async () => {
  const { sql } = database();
  const environment = await fullEnvironment(sql);
  await remove(sql, environment);
  const all = totalOf(await rowsOf(sql, environment));
  const killed = new Error('killed');
  let asked = 0;
  // Called for the end of the run, then before and after each piece.
  const now = () => {
    asked += 1;
    if (asked === 5) throw killed;
    return Date.now();
  };
  await expect(continueTelemetryDeletions({ sql, now }, { maxRows: 3 })).rejects.toBe(killed);
  expect(totalOf(await rowsOf(sql, environment))).toBe(all - 6);
  const { deletedRows } = await continueTelemetryDeletions(later(sql, 0), { maxRows: 3 });
  expect(deletedRows).toBe(all - 6);
  expect(totalOf(await rowsOf(sql, environment))).toBe(0);
});

test('what a receiver that still knew the key wrote afterwards is found by another look', async () => {
  const { sql } = database();
  const environment = await fullEnvironment(sql);
  await remove(sql, environment);
  await continueTelemetryDeletions(later(sql, 0));
  await receive(sql, environment, Date.now());
  expect(totalOf(await rowsOf(sql, environment))).toBeGreaterThan(0);
  // There is nothing to do meanwhile.
  expect(await continueTelemetryDeletions(later(sql, 4))).toEqual({ deletedRows: 0 });
  expect(await queued(sql)).toBe(1);
  await maintainTelemetry(later(sql, 6));
  expect(totalOf(await rowsOf(sql, environment))).toBe(0);
  // It deleted something, so there may be more.
  expect(await queued(sql)).toBe(1);
  expect(await continueTelemetryDeletions(later(sql, 12))).toEqual({ deletedRows: 0 });
  expect(await queued(sql)).toBe(0);
});

test('writers beside the deletion leave nothing behind', async () => {
  const { sql } = database();
  const environment = await fullEnvironment(sql);
  const write = async () => {
    for (let n = 0; n < 5; n++) {
      await receive(sql, environment, Date.now());
      await confirm(sql, environment, Date.now()).catch((error) => expect(error.code).toBe('UNAUTHORIZED'));
    }
  };
  const clean = () => continueTelemetryDeletions(later(sql, 0), { maxRows: 7 });
  await Promise.all([write(), write(), remove(sql, environment), write(), clean(), write(), clean()]);
  await Promise.all([maintainTelemetry(later(sql, 6)), maintainTelemetry(later(sql, 6))]);
  for (const minutes of [12, 18]) await continueTelemetryDeletions(later(sql, minutes));
  expect(totalOf(await rowsOf(sql, environment))).toBe(0);
  expect(await queued(sql)).toBe(0);
});

test('receipts of one that is gone make no connection anew', async () => {
  const { sql } = database();
  const environment = await newEnvironment(sql);
  await receive(sql, environment, Date.now());
  await remove(sql, environment);
  await sql`delete from telemetry_deletions`;
  await maintainTelemetry(later(sql, 20));
  const rows = await rowsOf(sql, environment);
  expect([rows.telemetry_receipts, rows.telemetry_connections]).toEqual([0, 0]);
});

test('several are deleted one after the other, the first first', async () => {
  const { sql } = database();
  const environments = [await fullEnvironment(sql), await fullEnvironment(sql), await fullEnvironment(sql)];
  for (const environment of environments) await remove(sql, environment);
  const [first, ...others] = environments as [Environment, ...Environment[]];
  const before = await Promise.all(others.map((other) => rowsOf(sql, other)));
  await sql`select * from continue_telemetry_deletions(${new Date().toISOString()}, 1000)`;
  expect(totalOf(await rowsOf(sql, first))).toBe(0);
  expect(await Promise.all(others.map((other) => rowsOf(sql, other)))).toEqual(before);
  await continueTelemetryDeletions(later(sql, 0));
  for (const environment of environments) expect(totalOf(await rowsOf(sql, environment))).toBe(0);
});
