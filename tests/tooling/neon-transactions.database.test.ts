import type { NeonQueryFunction } from '@neondatabase/serverless';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Started, variants } from './neon-variants.ts';

describe.each(variants)('transactions over the $name database', (variant) => {
  let started: Started;
  let sql: NeonQueryFunction<false, false>;
  beforeAll(async () => {
    started = await variant.start();
    await started.neon.exec(`
      create table accounts (name text primary key, balance int not null check (balance >= 0));
      create table links (id int primary key, next int references links deferrable initially deferred);
      create table counter (n int not null); insert into counter values (0);`);
    sql = connect(started.neon);
  });
  afterAll(() => started.close());

  it('gives every result', async () => {
    const results = await sql.transaction([
      sql`insert into accounts values ('ann', 10), ('bob', 0)`,
      sql`select name, balance from accounts order by name`,
    ]);
    expect(results).toEqual([
      [],
      [
        { name: 'ann', balance: 10 },
        { name: 'bob', balance: 0 },
      ],
    ]);
    expect(await sql.transaction([])).toEqual([]);
  });

  it('keeps nothing of a transaction that fails, and the connection after it', async () => {
    const move = sql.transaction([
      sql`update accounts set balance = balance + 20 where name = 'bob'`,
      sql`update accounts set balance = balance - 20 where name = 'ann'`,
      sql`select 1`,
    ]);
    await expect(move).rejects.toMatchObject({ code: '23514' });
    expect(await sql`select sum(balance)::int as sum, max(balance) as max from accounts`).toEqual([
      { sum: 10, max: 10 },
    ]);
  });

  it('reports what only the commit finds', async () => {
    await expect(sql.transaction([sql`insert into links values (1, 2)`])).rejects.toMatchObject({
      code: '23503',
    });
    await sql.transaction([sql`insert into links values (1, 2)`, sql`insert into links values (2, 1)`]);
    expect(await sql`select count(*)::int as n from links`).toEqual([{ n: 2 }]);
  });

  it.each([
    ['ReadUncommitted', 'read uncommitted'],
    ['ReadCommitted', 'read committed'],
    ['RepeatableRead', 'repeatable read'],
    ['Serializable', 'serializable'],
  ] as const)('runs as %s', async (isolationLevel, setting) => {
    const [rows] = await sql.transaction(
      [
        sql`select current_setting('transaction_isolation') as level,
          current_setting('transaction_read_only') as read_only,
          current_setting('transaction_deferrable') as deferrable`,
      ],
      { isolationLevel, readOnly: true, deferrable: true },
    );
    expect(rows).toEqual([{ level: setting, read_only: 'on', deferrable: 'on' }]);
  });

  it('refuses to write in a transaction that only reads', async () => {
    const write = sql.transaction([sql`update counter set n = n + 1`], { readOnly: true });
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });

  it('lets no other request in between', async () => {
    const transfers = Array.from({ length: 40 }, () =>
      sql.transaction([
        sql`update counter set n = n + 1`,
        sql`select n from counter`,
        sql`update counter set n = n + 1`,
      ]),
    );
    const reads = Array.from({ length: 40 }, () => sql`select n from counter`);
    const seen = (await Promise.all(reads)).map(([row]) => row?.n % 2);
    expect(new Set(seen)).toEqual(new Set([0]));
    const inside = (await Promise.all(transfers)).map(([, rows]) => (rows as { n: number }[])[0]?.n);
    expect(inside.sort((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => 2 * i + 1));
    expect(await sql`select n from counter`).toEqual([{ n: 80 }]);
  });

  it('answers each of many concurrent requests with its own result', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => sql`select ${i}::int as i, ${`v${i}`} as v`),
    );
    expect(answers).toEqual(Array.from({ length: 200 }, (_, i) => [{ i, v: `v${i}` }]));
  });

  it('leaves no session behind for the next request', async () => {
    await sql`set timezone = 'Asia/Tokyo'`;
    await sql`begin`;
    await sql`prepare leftover as select 1`;
    const after = new Date();
    const states = await Promise.all(
      Array.from(
        { length: 30 },
        () => sql`select current_setting('timezone') as zone, now() >= ${after}::timestamptz as fresh,
          (select count(*)::int from pg_prepared_statements where name = 'leftover') as leftovers`,
      ),
    );
    expect(states).toEqual(Array(30).fill([{ zone: 'UTC', fresh: true, leftovers: 0 }]));
  });

  it('prepares again what was prepared against an older schema', async () => {
    const read = () => sql`select * from shapes where a = ${1}`;
    await started.neon.exec('create table shapes (a int); insert into shapes values (1)');
    for (let i = 0; i < 60; i++) expect(await read()).toEqual([{ a: 1 }]);
    await started.neon.exec("alter table shapes add b text default 'x'");
    const all = await Promise.all(Array.from({ length: 40 }, read));
    expect(all).toEqual(Array(40).fill([{ a: 1, b: 'x' }]));
    await started.neon.exec(
      "drop table shapes; create table shapes (a text, c int); insert into shapes values ('1', 2)",
    );
    expect(await sql.transaction([read(), read()])).toEqual([[{ a: '1', c: 2 }], [{ a: '1', c: 2 }]]);
    const written = () => sql`insert into shapes values (${'1'}, ${3}) returning c`;
    for (let i = 0; i < 5; i++) await written();
    await started.neon.exec('alter table shapes alter a type uuid using null');
    expect(
      await sql`insert into shapes values (${'a0eebc999c0b4ef8bb6d6bb9bd380a11'}, ${3}) returning c`,
    ).toEqual([{ c: 3 }]);
  });
});
