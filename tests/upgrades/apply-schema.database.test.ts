/** Applying a schema: stopped at any point, blocked by locks, twice at once. Locks and interruptions need a real server. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../dev/scratch-database.ts';
import { type Neon, startNeon } from '../../tooling/neon/start-neon.ts';
import { type ApplyOptions, applySchema } from '../../tooling/schema/apply-schema.ts';
import { checkVersion } from '../../tooling/schema/check-version.ts';
import { readSchema } from '../../tooling/schema/read-schema.ts';
import { SERVER } from '../services/server.ts';
import { smallSchema } from './small-schema.ts';

const ROWS = 'create table t (id integer primary key, touched integer not null default 0);';
const FILLED = `${ROWS} insert into t (id) select generate_series(1, 1000);`;
const PIECE = `
  with piece as (select id from t where id > coalesce($1::integer, 0) order by id limit 10),
    done as (update t set touched = touched + 1 where id in (select id from piece))
  select max(id)::text as next from piece`;

describe('on any database', () => {
  let neon: Neon;
  beforeAll(async () => {
    neon = await startNeon({ database: 'memory' });
  });
  afterAll(() => neon.close());

  /** Uses the database with a new schema (namespace), which is dropped afterwards. */
  const withMemory = (use: (client: pg.PoolClient) => Promise<void>): Promise<void> =>
    neon.withClient(async (client) => {
      await client.query('create schema here; set search_path = here');
      try {
        await use(client);
      } finally {
        await client.query('drop schema here cascade; reset search_path');
      }
    });

  test('each migration is applied once, in order, and functions are made before a backfill', async () =>
    withMemory(async (client) => {
      const functions = 'create or replace function touch() returns integer language sql as $$ select 1 $$;';
      const first = smallSchema([FILLED], functions);
      expect(await applySchema(client, { schema: first })).toEqual({
        migrations: ['0001-test'],
        functionsMade: true,
      });
      const next = smallSchema(
        [
          FILLED,
          'alter table t add note text',
          ['concurrently', 'create index concurrently t_note on t (note);'],
          ['pieces', PIECE.replace('touched + 1', 'touched + touch()')],
        ],
        functions.replace('select 1', 'select 5'),
      );
      const { migrations } = await applySchema(client, { schema: next });
      expect(migrations).toEqual(['0002-test', '0003-test', '0004-test']);
      const { rows } = await client.query('select distinct touched from t');
      expect(rows).toEqual([{ touched: 5 }]);
      expect(await applySchema(client, { schema: next })).toEqual({ migrations: [], functionsMade: false });
    }));

  test('functions, views and triggers that no file makes any more go; those of others stay', async () =>
    withMemory(async (client) => {
      const old = `
        create or replace function note() returns trigger language plpgsql as $$ begin return null; end $$;
        create or replace trigger t_noted after insert on t for each row execute function note();
        create or replace function doubled(n integer) returns integer language sql as $$ select 2 * n $$;
        create or replace aggregate total(integer) (sfunc = int4pl, stype = integer);
        create or replace view v as select doubled(id) from t;`;
      await applySchema(client, { schema: smallSchema([ROWS], old) });
      await client.query('create function theirs() returns integer language sql as $$ select 1 $$');
      const kept =
        'create or replace function doubled(n integer, m integer) returns integer language sql as $$ select 2 * n * m $$;';
      await applySchema(client, { schema: smallSchema([ROWS], kept) });
      const { rows } = await client.query(`
        select oid::regprocedure::text as name from pg_proc where pronamespace = current_schema()::regnamespace
        union all select relname from pg_class where relkind = 'v' and relnamespace = current_schema()::regnamespace
        union all select tgname from pg_trigger where not tgisinternal order by name`);
      expect(rows.map(({ name }) => name)).toEqual([
        'doubled(integer,integer)',
        'ensure_partitions(timestamp with time zone)',
        'theirs()',
      ]);
    }));

  test('a deployment wants a database of its own version', async () =>
    withMemory(async (client) => {
      expect(await checkVersion(client)).toMatch(/no version.*Run npm run db:apply/);
      await applySchema(client);
      expect(await checkVersion(client)).toBeUndefined();
      await client.query("update schema_version set version = '0.0.9'");
      expect(await checkVersion(client)).toMatch(
        /is of 0\.0\.9, and not of this checkout.*Run npm run db:apply/,
      );
      await applySchema(client);
      expect(await checkVersion(client)).toBeUndefined();
      await client.query("update schema_version set functions_hash = 'another'");
      expect(await checkVersion(client)).toMatch(/not of this checkout.*Run npm run db:apply/);
      await client.query("update schema_version set migration = 9999, version = '9.0.0'");
      expect(await checkVersion(client)).toMatch(/is of 9\.0\.0, which is newer/);
      await client.query('update schema_version set version = null');
      expect(await checkVersion(client)).toMatch(/stopped before its end/);
    }));

  test('a database of an unknown shape, and a newer one, are refused and left as they are', async () =>
    withMemory(async (client) => {
      await client.query('create table sites (id uuid primary key)');
      await expect(applySchema(client)).rejects.toThrow(
        /not in the shape of 0\.1\.0.*It lacks .*Nothing was changed/s,
      );
      const { rows } = await client.query(
        'select count(*)::integer as n from pg_class where relnamespace = current_schema()::regnamespace',
      );
      expect(rows).toEqual([{ n: 2 }]);
      await client.query('drop table sites');
      await applySchema(client, { schema: smallSchema([ROWS, 'select 1']) });
      await expect(applySchema(client, { schema: smallSchema([ROWS]) })).rejects.toThrow(
        /newer: it has migration 2/,
      );
    }));
});

test('names and first lines of migrations are checked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'));
  try {
    for (const part of ['migrations', 'functions']) await mkdir(join(folder, part));
    await writeFile(join(folder, 'roles.sql'), '');
    const write = (name: string, sql: string) => writeFile(join(folder, 'migrations', name), sql);
    await write('0001-a.sql', '-- Runs in pieces.\nselect null as next');
    expect((await readSchema(folder)).migrations).toMatchObject([
      { number: 1, name: '0001-a', kind: 'pieces' },
    ]);
    await write('0001-b.sql', '');
    await expect(readSchema(folder)).rejects.toThrow(
      'two migrations of number 1: 0001-a.sql and 0001-b.sql.',
    );
    await rm(join(folder, 'migrations', '0001-b.sql'));
    await write('0003-c.sql', '');
    await expect(readSchema(folder)).rejects.toThrow(
      '0003-c.sql: the file after number 1 must be named 0002',
    );
    await rm(join(folder, 'migrations', '0003-c.sql'));
    await write('0002-b.sql', '-- Runs sometimes.\n');
    await expect(readSchema(folder)).rejects.toThrow('0002-b.sql: the first line must be');
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('on a server', () => {
  let scratch: ScratchDatabase;
  let clients: pg.Client[] = [];
  beforeEach(async () => {
    scratch = await createScratchDatabase(SERVER, { isDurable: false });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})));
    await scratch.drop();
  });

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(scratch.url);
    client.on('error', () => {});
    await client.connect();
    clients = [...clients, client];
    return client;
  }
  const apply = async (options: ApplyOptions) => applySchema(await connect(), options);
  const pidOf = async (client: pg.Client): Promise<number> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;

  /** Applies the schema until a statement like this runs, and then ends the connection. */
  async function applyAndStop(options: ApplyOptions, statement: string, wait = '%'): Promise<void> {
    const [client, admin] = [await connect(), await connect()];
    const pid = await pidOf(client);
    const stopped = expect(applySchema(client, options)).rejects.toThrow();
    await vi.waitUntil(
      async () => {
        const { rows } = await admin.query(
          `select from pg_stat_activity where pid = $1 and state = 'active' and query ilike $2 and coalesce(wait_event, '') like $3`,
          [pid, statement, wait],
        );
        return rows.length > 0;
      },
      { timeout: 20_000, interval: 5 },
    );
    await admin.query('select pg_terminate_backend($1)', [pid]);
    await stopped;
  }

  test('a run that is stopped goes on where it stopped, in each kind of step', async () => {
    // A slow statement: it sleeps while the gate has the step.
    const slowly = (step: string, and = '') => `select pg_sleep(600) from gate where step = '${step}' ${and}`;
    const base = `create table gate (step text); ${FILLED}`;
    const { migrations, functions } = smallSchema(
      [
        base,
        `alter table t add note text; ${slowly('transaction')};`,
        ['concurrently', 'create index concurrently t_note on t (note);'],
        [
          'pieces',
          `${PIECE} where (select count(*) from (${slowly('pieces', 'and (select max(id) from piece) = 500')}) as slow) >= 0`,
        ],
      ],
      `create function f() returns integer language sql as $$ select 1 $$; ${slowly('functions')};`,
    );
    const schema = { migrations, functions };
    const [gate, watcher] = [await connect(), await connect()];
    const rowsOf = async (sql: string) => (await gate.query(sql)).rows;
    await apply({ schema: smallSchema([base]) });

    await gate.query("insert into gate values ('transaction')");
    await applyAndStop({ schema }, 'alter table t add note%', 'PgSleep');
    expect(
      await rowsOf("select attname from pg_attribute where attrelid = 't'::regclass and attname = 'note'"),
    ).toEqual([]);

    await gate.query("update gate set step = 'functions'");
    await applyAndStop({ schema }, '%function f()%', 'PgSleep');
    expect(await rowsOf("select proname from pg_proc where proname = 'f'")).toEqual([]);

    await gate.query("update gate set step = 'pieces'");
    // An open transaction blocks the index, so the stopped run leaves it invalid.
    await watcher.query('begin isolation level repeatable read; select count(*) from gate');
    await applyAndStop({ schema }, 'create index concurrently%', 'virtualxid');
    const index = "select indisvalid from pg_index where indexrelid = 't_note'::regclass";
    expect(await rowsOf(index)).toEqual([{ indisvalid: false }]);
    await watcher.query('commit');

    await applyAndStop({ schema }, '%with piece%', 'PgSleep');
    expect(await rowsOf(index)).toEqual([{ indisvalid: true }]);
    expect(await rowsOf('select touched, count(*)::integer as n from t group by 1 order by 1')).toEqual([
      { touched: 0, n: 510 },
      { touched: 1, n: 490 },
    ]);

    await gate.query('delete from gate');
    await apply({ schema });
    expect(await rowsOf('select distinct touched from t')).toEqual([{ touched: 1 }]);
    expect(await apply({ schema })).toEqual({ migrations: [], functionsMade: false });
  }, 180_000);

  test('two runs at once apply everything once', async () => {
    const schema = smallSchema([
      ROWS,
      'insert into t (id) select coalesce(max(id), 0) + 1 from t',
      ['pieces', PIECE],
    ]);
    const runs = await Promise.all([apply({ schema }), apply({ schema }), apply({ schema })]);
    expect(runs.flatMap(({ migrations }) => migrations)).toHaveLength(3);
    expect((await (await connect()).query('select * from t')).rows).toEqual([{ id: 1, touched: 1 }]);
  });

  test('a lock that somebody holds makes nobody else wait for long, and is named in the end', async () => {
    await apply({ schema: smallSchema([FILLED]) });
    const [holder, writer] = [await connect(), await connect()];
    await holder.query('begin; select * from t limit 1');
    const next = { schema: smallSchema([FILLED, 'alter table t add note text']), patienceMs: 60_000 };
    const waits: string[] = [];
    const applied = apply({ ...next, report: (line) => waits.push(line) });
    await vi.waitUntil(() => waits.some((line) => line.includes('waits')), { timeout: 20_000 });
    // A writer succeeds between the tries and during a try.
    await writer.query("set lock_timeout = '5s'");
    for (let id = 2000; id < 2020; id += 1) await writer.query('insert into t (id) values ($1)', [id]);
    const pid = await pidOf(holder);
    await expect(apply({ ...next, patienceMs: 100 })).rejects.toThrow('Another run');
    await holder.query('commit');
    expect((await applied).migrations).toEqual(['0002-test']);

    await holder.query('begin; select * from t limit 1; select pg_sleep(1.1)');
    const more = smallSchema([FILLED, 'alter table t add note text', 'alter table t drop note']);
    await expect(apply({ schema: more, patienceMs: 300 })).rejects.toThrow(
      new RegExp(`Others hold the locks.*process ${pid}, open for \\d+ s, idle in transaction`, 's'),
    );
    await holder.query('commit');
    expect((await apply({ schema: more })).migrations).toEqual(['0003-test']);
  }, 180_000);

  test('an index of a partitioned table is made partition by partition, while rows come', async () => {
    const parts = `
      create table p (id integer, day date) partition by range (day);
      create table p_20260101 partition of p for values from ('2026-01-01') to ('2026-01-02');
      create table p_20260102 partition of p for values from ('2026-01-02') to ('2026-01-03');
      insert into p select n, date '2026-01-01' + n % 2 from generate_series(1, 2000) n;`;
    await apply({ schema: smallSchema([parts]) });
    const client = await connect();
    // A stopped run left the parent's index and an invalid index of a partition.
    await client.query("insert into p values (1, date '2026-01-01'), (1, date '2026-01-01')");
    await client.query('create index p_id on only p (id)');
    await expect(
      client.query('create unique index concurrently p_id_20260101 on p_20260101 (id)'),
    ).rejects.toThrow();
    const schema = smallSchema([
      parts,
      ['concurrently', '-- Looked up by id.\ncreate index concurrently p_id on p (id);\n'],
    ]);
    await apply({ schema });
    const { rows } = await client.query(`
      select indexrelid::regclass::text as name, indisvalid, indisunique from pg_index
      where indrelid::regclass::text like 'p%' and indexrelid::regclass::text like 'p_id%' order by 1`);
    expect(rows).toEqual(
      ['p_id', 'p_id_20260101', 'p_id_20260102'].map((name) => ({
        name,
        indisvalid: true,
        indisunique: false,
      })),
    );
    await client.query(
      "create table p_20260103 partition of p for values from ('2026-01-03') to ('2026-01-04')",
    );
    expect((await client.query("select from pg_indexes where tablename = 'p_20260103'")).rowCount).toBe(1);
  });
});
