/** The least that stores a page view: reads the body, inserts one row, answers 202. The baseline of `bench -- host`. */
import { createServer } from 'node:http';
import pg from 'pg';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });
await pool.query(
  'create table if not exists bare (received_at timestamptz not null default now(), body jsonb not null)',
);

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  await pool.query({
    name: 'insert',
    text: 'insert into bare (body) values ($1)',
    values: [JSON.stringify(body)],
  });
  response.writeHead(202, { 'Content-Type': 'application/json' }).end('{"data":{"accepted":1}}');
}).listen(Number(port), '127.0.0.1');
