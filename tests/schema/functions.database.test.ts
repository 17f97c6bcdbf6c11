/** PostgreSQL checks the body of a function only while it runs. These tests check the whole body of each function. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../services/database.ts';
import { SERVER } from '../services/server.ts';

/** In CI a server without the extension fails. */
const canCheck = SERVER !== undefined && (process.env.CI !== undefined || (await hasPlpgsqlCheck(SERVER)));
if (SERVER !== undefined && !canCheck)
  console.warn('Left out: the server lacks plpgsql_check (Debian: postgresql-<version>-plpgsql-check).');

async function hasPlpgsqlCheck(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "select from pg_available_extensions where name = 'plpgsql_check'",
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

interface FunctionRow {
  oid: number;
  name: string;
  /** The table of a trigger function. Otherwise 0. */
  relation: number;
  definition: string;
}

describe.skipIf(!canCheck)('on a server', () => {
  const database = useDatabase();
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client(database().server);
    await client.connect();
    await client.query('create extension plpgsql_check');
  });
  afterAll(() => client?.end());

  const functionsIn = async (language: string): Promise<FunctionRow[]> => {
    const { rows } = await client.query<FunctionRow>(
      `select p.oid, p.oid::regprocedure::text as name, coalesce(t.tgrelid, 0) as relation,
        pg_get_functiondef(p.oid) as definition
      from pg_proc p
      join pg_language l on l.oid = p.prolang
      left join pg_trigger t on t.tgfoid = p.oid and not t.tgisinternal
      where l.lanname = $1 and p.pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by 2`,
      [language],
    );
    return rows;
  };

  test('plpgsql_check finds nothing in functions in PL/pgSQL', async () => {
    const functions = await functionsIn('plpgsql');
    expect(functions.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const { oid, name, relation } of functions) {
      const { rows } = await client.query<{ line: string }>(
        `select concat_ws(' ', lineno, level, message, detail) as line
        from plpgsql_check_function_tb($1::oid::regprocedure, $2::oid::regclass, fatal_errors => false)`,
        [oid, relation],
      );
      found.push(...rows.map(({ line }) => `${name}: ${line}`));
    }
    expect(found).toEqual([]);
  });

  test('PostgreSQL takes each function in SQL again, with its body checked', async () => {
    const functions = await functionsIn('sql');
    expect(functions.length).toBeGreaterThan(20);
    await client.query('set check_function_bodies = on');
    const found: string[] = [];
    for (const { name, definition } of functions) {
      await client.query(definition).catch((error: Error) => found.push(`${name}: ${error.message}`));
    }
    expect(found).toEqual([]);
  });
});
