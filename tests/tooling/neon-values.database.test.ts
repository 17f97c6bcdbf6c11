import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../lib/db.ts';
import { connect, connectRaw, RAW_TYPES, type Started, variants } from './neon-variants.ts';

/** Expressions, each with the text that PostgreSQL prints for it with our settings. */
const PRINTED: [expression: string, text: string | null][] = [
  ['null::text', null],
  ["''::text", ''],
  ["'it''s \"quoted\" \\ and é 🙂'::text", 'it\'s "quoted" \\ and é 🙂'],
  ['true', 't'],
  ['9223372036854775807::bigint', '9223372036854775807'],
  ["'12345678901234567890.0123456789'::numeric", '12345678901234567890.0123456789'],
  ["'NaN'::numeric", 'NaN'],
  ['0.1::float8 + 0.2::float8', '0.30000000000000004'],
  ['1e300::float8', '1e+300'],
  ["'-Infinity'::float8", '-Infinity'],
  ['(1.0/3)::float4', '0.33333334'],
  ["'\\xdeadbeef00'::bytea", '\\xdeadbeef00'],
  ["''::bytea", '\\x'],
  ["'2026-11-21 01:02:03.456789+02'::timestamptz", '2026-11-20 23:02:03.456789+00'],
  ["'infinity'::timestamptz", 'infinity'],
  ["'2026-11-21 01:02:03'::timestamp", '2026-11-21 01:02:03'],
  ["'2026-11-21'::date", '2026-11-21'],
  ["'0044-03-15 BC'::date", '0044-03-15 BC'],
  ["'13:14:15.5'::time", '13:14:15.5'],
  ["'1 year 2 months 3 days 04:05:06.7'::interval", '1 year 2 mons 3 days 04:05:06.7'],
  ["'a0eebc999c0b4ef8bb6d6bb9bd380a11'::uuid", 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['\'{"b": [1, 2.50, null], "a": {"é": true}}\'::json', '{"b": [1, 2.50, null], "a": {"é": true}}'],
  ['\'{"b":[1,2.50,null],"a":"x"}\'::jsonb', '{"a": "x", "b": [1, 2.50, null]}'],
  ['array[1, null, 3]', '{1,NULL,3}'],
  ["array['a,b', 'c\"d', '', null, 'NULL', 'e\\f']", '{"a,b","c\\"d","",NULL,"NULL","e\\\\f"}'],
  ['array[[1, 2], [3, 4]]', '{{1,2},{3,4}}'],
  ["array['\\x01'::bytea, '\\xff'::bytea]", '{"\\\\x01","\\\\xff"}'],
  ["array['2026-01-01 00:00+00'::timestamptz]", '{"2026-01-01 00:00:00+00"}'],
  ["row(1, 'a b', null)", '(1,"a b",)'],
  ["'[1,5)'::int4range", '[1,5)'],
  ["'192.0.2.1/32'::inet", '192.0.2.1'],
  ['1234.5::money', '$1,234.50'],
  ["current_setting('timezone')", 'UTC'],
];

describe.each(variants)('values over the $name database', (variant) => {
  let started: Started;
  beforeAll(async () => {
    started = await variant.start();
  });
  afterAll(() => started.close());

  it.each(PRINTED)('prints %s', async (expression, text) => {
    const { rows } = await connectRaw(started.neon).query(`select ${expression}`, [], { types: RAW_TYPES });
    expect(rows).toEqual([[text]]);
  });

  it('answers the same without a connection', async () => {
    const { neon } = started;
    const query = `select ${PRINTED.map(([expression], index) => `${expression} as "${index}"`)}`;
    const answers = await Promise.all(
      [connect(neon), connectDatabase(neon)].map((sql) => sql.transaction([sql.query(query), sql`select 1`])),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(Object.keys(answers[0]?.[0]?.[0] ?? {})).toHaveLength(PRINTED.length);
  });

  it('tells what the driver needs to parse columns', async () => {
    const result = await connectRaw(
      started.neon,
    )`select 1::int4 as n, ${'x'}::text as "the text", '{}'::jsonb`;
    expect(result).toMatchObject({ command: 'SELECT', rowCount: 1, rowAsArray: true, rows: [[1, 'x', {}]] });
    expect(result.fields.map(({ name, dataTypeID }) => [name, dataTypeID])).toEqual([
      ['n', 23],
      ['the text', 25],
      ['jsonb', 3802],
    ]);
  });

  it('takes parameters of every kind', async () => {
    const sql = connect(started.neon);
    const [row] = await sql`select
      ${null}::text as nothing,
      ${'a\u2028"\\é🙂'}::text as text,
      ${42}::int as whole,
      ${1.5}::float8 as fraction,
      ${'123456789012345678901234567890.5'}::numeric as exact,
      ${true}::boolean as flag,
      ${new Date('2026-11-21T01:02:03.456Z')}::timestamptz as instant,
      ${new Uint8Array([0, 255, 16])} as bytes,
      ${{ a: [1, { b: 'é' }], c: null }}::jsonb as object,
      ${JSON.stringify([{ x: 1 }, { x: 2 }])}::jsonb as list,
      ${['a,b', 'c"d\\', '', null]}::text[] as texts,
      ${[1, 2, null]}::int[] as numbers,
      ${['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']}::uuid[] as ids`;
    expect(row).toEqual({
      nothing: null,
      text: 'a\u2028"\\é🙂',
      whole: 42,
      fraction: 1.5,
      exact: '123456789012345678901234567890.5',
      flag: true,
      instant: new Date('2026-11-21T01:02:03.456Z'),
      bytes: Buffer.from([0, 255, 16]),
      object: { a: [1, { b: 'é' }], c: null },
      list: [{ x: 1 }, { x: 2 }],
      texts: ['a,b', 'c"d\\', '', null],
      numbers: [1, 2, null],
      ids: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    });
  });

  it('composes templates, and gives rows as objects or arrays', async () => {
    const sql = connect(started.neon);
    const condition = sql`n > ${2}`;
    expect(await sql`select n from generate_series(1, ${4}::int) n where ${condition}`).toEqual([
      { n: 3 },
      { n: 4 },
    ]);
    expect(await sql.query('select 1 as a, 2 as a', [], { arrayMode: true })).toEqual([[1, 2]]);
  });

  it('reports the command and the count of rows', async () => {
    const sql = connectRaw(started.neon);
    const facts = async (text: string, params: unknown[] = []) => {
      const { command, rowCount, rows } = await sql.query(text, params);
      return [command, rowCount, rows];
    };
    expect(await facts('create table facts (a int)')).toEqual(['CREATE', null, []]);
    expect(await facts('insert into facts select generate_series(1, $1::int)', [3])).toEqual([
      'INSERT',
      3,
      [],
    ]);
    expect(await facts('update facts set a = 9 where a > 1 returning a')).toEqual(['UPDATE', 2, [[9], [9]]]);
    expect(await facts('delete from facts where a = 7')).toEqual(['DELETE', 0, []]);
    expect(await facts('select a from facts where false')).toEqual(['SELECT', 0, []]);
    expect(await facts('-- nothing')).toEqual(['', null, []]);
  });

  it('carries a jsonb parameter and a result of several megabytes', async () => {
    const sql = connect(started.neon);
    const events = Array.from({ length: 20_000 }, (_, i) => ({
      i,
      path: `/page/${i}`,
      title: 'é"\\'.repeat(20),
    }));
    const [row] = await sql`select jsonb_array_length(e) as length, e as events
      from (select ${JSON.stringify(events)}::jsonb as e) given`;
    expect(row?.length).toBe(events.length);
    expect(row?.events).toEqual(events);
  });

  it('calls plpgsql functions with uuid, jsonb and text[]', async () => {
    await started.neon.exec(`
      create table notes (id uuid primary key, labels text[] not null, body jsonb not null);
      create function note(given_id uuid, given_labels text[], given_body jsonb) returns setof notes language plpgsql as $$
      begin
        insert into notes values (given_id, given_labels, given_body);
        return query select * from notes where id = given_id;
      end $$;`);
    const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
    const sql = connect(started.neon);
    expect(await sql`select * from note(${id}, ${['x', 'y z']}, ${{ k: [1] }})`).toEqual([
      { id, labels: ['x', 'y z'], body: { k: [1] } },
    ]);
    expect(await sql`select count(*)::int as n from notes`).toEqual([{ n: 1 }]);
  });
});
