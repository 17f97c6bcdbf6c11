/** What a credential of one function opens, and what it doesn't (schema/roles.sql). The service's own tests run each function as its role. */
import { describe, expect, test } from 'vitest';
import { connectDatabase, type Sql } from '../../lib/db.ts';
import { useDatabase } from '../services/database.ts';

const FUNCTIONS = ['account', 'sites', 'analytics', 'telemetry', 'mcp', 'receiver', 'ingest'] as const;
type Fn = (typeof FUNCTIONS)[number];

/** Who may read a table at all. */
const READERS: Record<string, readonly Fn[]> = {
  // Whether an address is confirmed; the address itself is below.
  users: ['account', 'sites', 'analytics', 'telemetry'],
  user_credentials: ['account'],
  user_second_factors: ['account'],
  user_verifications: ['account'],
  query_tokens: ['account', 'mcp'],
  project_invitations: ['account'],
  api_tokens: ['account', 'sites', 'analytics', 'telemetry'],
  // `account` reads who made a key, never its hash.
  ingest_keys: ['account', 'telemetry', 'receiver'],
  // `telemetry` reads no more of a visit than its times, pages and origin.
  visits: ['sites', 'analytics', 'telemetry', 'mcp', 'ingest'],
  associations: ['sites', 'analytics', 'telemetry', 'mcp', 'ingest'],
  events: ['sites', 'analytics', 'mcp', 'ingest'],
  dead_letters: ['sites', 'ingest'],
  spans: ['analytics', 'telemetry', 'mcp', 'receiver'],
  logs: ['telemetry', 'mcp', 'receiver'],
  outcomes: ['telemetry', 'mcp', 'receiver'],
};

const database = useDatabase();

const as = (fn: Fn): Sql =>
  connectDatabase({ url: database().neon.urlOf(`vendor_${fn}`), endpoint: database().neon.endpoint });
const owner = (): Sql => database().sql;
const denied = { code: '42501' };

describe.each(Object.entries(READERS))('%s', (table, readers) => {
  test.each(FUNCTIONS)(`%s`, async (fn) => {
    const read = as(fn).query(`select count(*) from ${table}`);
    if (readers.includes(fn)) await expect(read).resolves.toHaveLength(1);
    else await expect(read).rejects.toMatchObject(denied);
  });
});

test('a session is found by its hash, but its browser and address of mail are not read', async () => {
  for (const fn of ['sites', 'analytics', 'telemetry'] as const) {
    await expect(
      as(fn)`select user_id from user_sessions where hash = '\\x00' and expires_at > now()`,
    ).resolves.toEqual([]);
    await expect(as(fn)`select browser from user_sessions`).rejects.toMatchObject(denied);
    await expect(as(fn)`select email from users`).rejects.toMatchObject(denied);
    await expect(as(fn)`update users set email_verified = true`).rejects.toMatchObject(denied);
    await expect(as(fn)`update user_sessions set expires_at = 'infinity'`).rejects.toMatchObject(denied);
  }
});

test.each([
  ['ingest', 'insert into user_sessions default values'],
  ['receiver', 'delete from spans'],
  ['receiver', "select delete_project('00000000-0000-4000-8000-000000000000')"],
  ['analytics', "select delete_site('00000000-0000-4000-8000-000000000000')"],
  ['telemetry', "select expire_telemetry('infinity', 1)"],
  ['ingest', 'drop table visits'],
  ['ingest', 'create table taken (id integer)'],
  ['mcp', "update query_tokens set hash = '\\x00'"],
  ['mcp', 'delete from audit_log'],
  ['mcp', "update environments set name = 'taken'"],
  ['mcp', 'select * from ingest_keys'],
  ['account', 'select hash from ingest_keys'],
  ['account', 'select hash from site_shares'],
  ['account', 'select password from site_shares'],
  ['mcp', "update sites set name = 'taken'"],
  ['sites', "update api_tokens set hash = '\\x00'"],
  ['telemetry', "update api_tokens set hash = '\\x00'"],
  ['account', 'delete from audit_log'],
  ['sites', 'grant select on users to vendor_sites'],
  ['sites', "select pg_read_file('/etc/passwd')"],
] as const)('%s may not: %s', async (fn, statement) => {
  await expect(as(fn).query(statement)).rejects.toMatchObject(denied);
});

test('after a change of goals `analytics` may have days sealed again, and write no sums itself', async () => {
  await expect(as('analytics')`select * from targets_to_seal(null, now(), 1)`).resolves.toEqual([]);
  await expect(as('analytics')`select reseal_day(0, current_date)`).resolves.toHaveLength(1);
  await expect(
    as('analytics')`select note_seal_fault(0, current_date, '22P02', now())`,
  ).resolves.toHaveLength(1);
  await expect(as('analytics')`delete from rollup_values`).rejects.toMatchObject(denied);
});

test('a function with the rights of the owner takes only tables of telemetry', async () => {
  await expect(as('receiver').query("select ensure_telemetry_day('users', current_date)")).rejects.toThrow(
    'not a table of telemetry',
  );
});

test('each function with the rights of the owner finds only its own schema, and only its caller may call it', async () => {
  const rows = await owner()`
    select p.proname as name, p.proconfig @> array['search_path=public, pg_temp'] as fixed,
      has_function_privilege('public', p.oid, 'execute') as everybody
    from pg_proc p where p.prosecdef and p.pronamespace = 'public'::regnamespace`;
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ fixed, everybody }) => !fixed || everybody)).toEqual([]);
});

test('each table is reached by a function', async () => {
  const rows = await owner()`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and not exists (
        select from pg_roles r where r.rolname like 'vendor\\_%' and has_any_column_privilege(r.oid, c.oid, 'select')
      )
    order by 1`;
  // What only functions with the rights of the owner and the operator's commands touch.
  expect(rows.map(({ name }) => name)).toEqual([
    'erased_values',
    'message_counts',
    'schema_migrations',
    'telemetry_deletions',
  ]);
});
