import { NeonDbError, type NeonQueryFunction, neon } from '@neondatabase/serverless';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, isPassingFault } from '../../lib/db.ts';
import { connect, type Started, variants } from './neon-variants.ts';

type Sql = NeonQueryFunction<false, false>;

async function failureOf(query: PromiseLike<unknown>): Promise<NeonDbError> {
  const error = await Promise.resolve(query).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof NeonDbError)) throw new Error('not refused with a NeonDbError', { cause: error });
  return error;
}

const FAILURES: [what: string, query: (sql: Sql) => PromiseLike<unknown>, fields: Partial<NeonDbError>][] = [
  [
    'a repeated key',
    (sql) => sql`insert into parents values (${1}, ${'b'})`,
    {
      code: '23505',
      severity: 'ERROR',
      message: 'duplicate key value violates unique constraint "parents_pkey"',
      detail: 'Key (id)=(1) already exists.',
      schema: 'public',
      table: 'parents',
      constraint: 'parents_pkey',
    },
  ],
  [
    'a missing value',
    (sql) => sql`insert into parents values (${2}, ${null})`,
    { code: '23502', table: 'parents', column: 'name', detail: 'Failing row contains (2, null).' },
  ],
  [
    'a broken check',
    (sql) => sql`insert into parents values (3, '')`,
    { code: '23514', constraint: 'named' },
  ],
  [
    'a missing parent',
    (sql) => sql`insert into children values (${99})`,
    { code: '23503', table: 'children', constraint: 'children_parent_fkey' },
  ],
  ['wrong syntax', (sql) => sql`selec 1`, { code: '42601', position: '1' }],
  ['an unknown column', (sql) => sql`select nme from parents`, { code: '42703', position: '8' }],
  ['two statements', (sql) => sql`select 1; select 2`, { code: '42601' }],
  ['a division by zero', (sql) => sql`select 1 / ${0}::int`, { code: '22012', message: 'division by zero' }],
  ['a value of the wrong type', (sql) => sql`select ${'x'}::uuid`, { code: '22P02' }],
  ['a NUL in a value', (sql) => sql`select ${'a\0b'}::text`, { code: '22021' }],
  ['a missing parameter', (sql) => sql.query('select $1::int, $2::int', [1]), { code: '08P01' }],
  [
    'what a function raises',
    (sql) => sql`select complain(${'words'})`,
    {
      code: 'P0042',
      message: 'words',
      detail: 'the detail',
      hint: 'the hint',
      where: 'PL/pgSQL function complain(text) line 2 at RAISE',
    },
  ],
  [
    'an error within a function',
    (sql) => sql`select wrong()`,
    { code: '42P01', internalPosition: '15', internalQuery: 'SELECT 1 from nowhere' },
  ],
];

const SCRIPT = `
  create table parents (id int primary key, name text not null constraint named check (name <> ''));
  create table children (parent int references parents);
  insert into parents values (1, 'a');
  create function complain(words text) returns void language plpgsql as $$ begin
    raise exception '%', words using errcode = 'P0042', detail = 'the detail', hint = 'the hint';
  end $$;
  create function wrong() returns void language plpgsql as $$ begin
    perform 1 from nowhere;
  end $$;`;

describe.each(variants)('errors over the $name database', (variant) => {
  let started: Started;
  let sql: Sql;
  beforeAll(async () => {
    started = await variant.start();
    await started.neon.exec(SCRIPT);
    sql = connect(started.neon);
  });
  afterAll(() => started.close());

  it.each(FAILURES)('fills NeonDbError for %s', async (_what, query, fields) => {
    const error = await failureOf(query(sql));
    expect(error).toMatchObject(fields);
    expect(error.routine).toBeTypeOf('string');
    // Again, because the text has been prepared now.
    expect(await failureOf(query(sql))).toMatchObject(fields);
    expect(await failureOf(query(connectDatabase(started.neon)))).toEqual(error);
    expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
  });

  it('leaves fields that PostgreSQL does not report undefined', async () => {
    const error = await failureOf(sql`select 1 / ${0}::int`);
    expect([error.detail, error.hint, error.table, error.constraint]).toEqual(Array(4).fill(undefined));
    expect(isPassingFault(error)).toBe(false);
  });

  it('throws the error of a script, and keeps nothing of it', async () => {
    await expect(started.neon.exec('create table half (a int); select 1 / 0;')).rejects.toThrow(
      'division by zero',
    );
    expect((await failureOf(sql`select * from half`)).code).toBe('42P01');
  });

  it('refuses a wrong password', async () => {
    const error = await failureOf(neon(started.neon.url.replace(/:[0-9a-f]+@/, ':other@'))`select 1`);
    expect(error).toMatchObject({ code: '28P01', severity: 'FATAL' });
  });

  it.each([
    ['not JSON', '{'],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['no object', '[]'],
    ['no text', '{"query": 1}'],
    ['params of another type', '{"query": "select 1", "params": {}}'],
    ['queries of another type', '{"queries": {}}'],
    ['a statement of another type', '{"queries": [null]}'],
    ['a lone surrogate', '{"query": "select $1::text", "params": ["\\ud800"]}'],
    ['a NUL in the text', '{"query": "select 1\\u0000; select 2"}'],
    ['too many params', JSON.stringify({ query: 'select 1', params: Array(65_536).fill(null) })],
  ])('refuses a body with %s', async (_what, body) => {
    const response = await post(started, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: expect.stringContaining('could not parse'),
      code: '',
    });
  });

  it('refuses an unknown isolation level, and other paths', async () => {
    const batch = await post(started, '{"queries": []}', { 'Neon-Batch-Isolation-Level': 'Chaos' });
    expect([batch.status, await batch.json()]).toMatchObject([400, { message: 'invalid isolation level' }]);
    expect((await fetch(started.neon.endpoint.replace('/sql', '/'))).status).toBe(404);
    expect((await fetch(started.neon.endpoint)).status).toBe(404);
  });

  it('reads JSON of other clients as Neon does', async () => {
    const query = 'select $1::int a, $2::bool b, $3::jsonb c, $4::text[] d, $5::jsonb[] e, $6::int[] f';
    const params = [
      7,
      true,
      { a: 'é' },
      ['a"b', null, 'NULL', 'c\\'],
      [{ b: '"' }],
      [
        [1, 2],
        [3, 4],
      ],
    ];
    const response = await post(started, JSON.stringify({ query, params, arrayMode: false }));
    expect(await response.json()).toMatchObject({
      rowAsArray: false,
      rows: [
        {
          a: '7',
          b: 't',
          c: '{"a": "é"}',
          d: '{"a\\"b",NULL,"NULL","c\\\\"}',
          e: '{"{\\"b\\": \\"\\\\\\"\\"}"}',
          f: '{{1,2},{3,4}}',
        },
      ],
    });
  });
});

const post = (to: Started, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(to.neon.endpoint, {
    method: 'POST',
    body,
    headers: {
      'Neon-Connection-String': to.neon.url,
      'Neon-Raw-Text-Output': 'true',
      'Neon-Array-Mode': 'true',
      ...headers,
    },
  });
