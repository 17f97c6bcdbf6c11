/** Each way to execute a statement by pg, within a span of its name. It prints what the application got. */
import { text } from 'node:stream/consumers';
import { context, trace } from '@opentelemetry/api';
import pg from 'pg';
import Cursor from 'pg-cursor';
import QueryStream from 'pg-query-stream';

const FAILS = "select 'secret'::int from generate_series(1, 3) numbers";
const ROWS = "select n, 'secret' as word from generate_series(1, 5) as numbers(n)";

const pool = new pg.Pool({ connectionString: process.env.SHOP_DATABASE_URL, max: 1 });
const client = await pool.connect();
/** Within the callback the span of the caller is the active one. */
const active = () => context.active() === here.getStore();
const here = { store: undefined, getStore: () => here.store };
const called = (call) =>
  new Promise((resolve) => {
    here.store = context.active();
    call((error, result) => resolve([error?.code ?? null, result?.rows ?? null, active()]));
  });
const failed = (promise) =>
  promise.then(
    () => 'worked',
    ({ code, message }) => [code, message],
  );
const TYPES = `select 9007199254740993::int8 as big, 1.5::numeric as decimal, array[1, 2] as list, null as nothing,
  date '2026-01-02' as day, '{"a": [1]}'::jsonb as json, true as yes, '\\x00ff'::bytea as bytes`;

const WAYS = {
  text: async () => (await client.query(ROWS)).rows.length,
  'text and values': async () => (await client.query('select $1::text as word', ['secret'])).rows,
  callback: () => called((done) => client.query("select 'secret' as word", done)),
  'values and callback': () => called((done) => client.query('select $1::text as word', ['secret'], done)),
  config: async () => (await client.query({ text: 'select $1::text as word', values: ['secret'] })).rows,
  'config, values': async () => (await client.query({ text: 'select $1::text as word' }, ['secret'])).rows,
  'config with callback': () =>
    called((done) => client.query({ text: "select 'secret' as word", callback: done })),
  'config, callback': () => called((done) => client.query({ text: "select 'secret' as word" }, done)),
  'named, twice': async () => {
    const query = { name: 'find', text: 'select $1::text as word', values: ['secret'] };
    return [(await client.query(query)).rows, (await client.query(query)).rows];
  },
  'rows as lists': async () => (await client.query({ text: ROWS, rowMode: 'array' })).rows,
  types: async () => (await client.query(TYPES)).rows,
  several: async () => (await client.query("select 'secret'; select 2 as two")).map(({ rows }) => rows),
  'side by side': async () =>
    (await Promise.all([client.query('select 1 as a'), client.query('select 2 as b')])).map(
      ({ rows }) => rows,
    ),
  'pg.Query, events': () =>
    new Promise((resolve) => {
      const rows = [];
      const query = client.query(new pg.Query(ROWS));
      query.on('row', (row) => rows.push(row));
      query.on('end', () => resolve(rows.length));
    }),
  'pg.Query, callback': () => called((done) => client.query(new pg.Query(ROWS, done))),
  'pg.Query, failing': () =>
    new Promise((resolve) => {
      client.query(new pg.Query(FAILS)).on('error', ({ code }) => resolve(code));
    }),
  'cursor to the end': async () => {
    const cursor = client.query(new Cursor(ROWS));
    const rows = [await cursor.read(3), await cursor.read(3), await cursor.read(3)];
    return rows.map(({ length }) => length);
  },
  'cursor closed early': async () => {
    const cursor = client.query(new Cursor(ROWS));
    const { length } = await cursor.read(2);
    await cursor.close();
    return length;
  },
  'cursor failing': () => failed(client.query(new Cursor(FAILS)).read(2)),
  'cursor that is wrong': () => failed(client.query(new Cursor('select * from nowhere')).read(2)),
  'stream to the end': async () => {
    let rows = 0;
    for await (const row of client.query(new QueryStream(ROWS))) rows += row.n;
    return rows;
  },
  'stream broken off': async () => {
    for await (const row of client.query(new QueryStream(ROWS, [], { batchSize: 2 }))) return row.n;
  },
  'stream failing': () => failed(text(client.query(new QueryStream(FAILS)).map(String))),
  failing: () => failed(client.query(FAILS)),
  'callback, failing': async () => (await called((done) => client.query(FAILS, done))).slice(0, 1),
  'nowhere, by values': () => failed(client.query('select $1::int from nowhere', ['secret'])),
  'nothing to execute': async () => (await client.query('')).rows,
};
const POOL_WAYS = {
  pool: async () => (await pool.query('select $1::text as word', ['secret'])).rows,
  'pool, callback': () => called((done) => pool.query("select 'secret' as word", done)),
  'pool, failing': () => failed(pool.query(FAILS)),
};

async function run(ways) {
  for (const [name, way] of Object.entries(ways))
    await trace.getTracer('ways').startActiveSpan(name, async (span) => {
      process.stdout.write(`${JSON.stringify([name, await way()])}\n`);
      span.end();
    });
}

await run(WAYS);
client.release();
await run(POOL_WAYS);
await pool.end();
