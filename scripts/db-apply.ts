/** `DATABASE_URL=postgres://... npm run db:apply`: applies `schema.sql`, whole or not at all. Safe to repeat. */
import pg from 'pg';
import { readSchema } from './lib/read-schema.ts';

const url = process.env.DATABASE_URL;
if (!url) {
  console.error('Set DATABASE_URL to the database that schema.sql shall be applied to.');
  process.exit(1);
}
const client = new pg.Client({ connectionString: url });
try {
  await client.connect();
  // Two at once would race for the same names; the lock ends with the transaction.
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtext('vendor schema'))");
  await client.query(await readSchema());
  await client.query('commit');
  console.log('schema.sql is applied.');
} catch (error) {
  const { message, hint } = error as { message: string; hint?: string };
  console.error(`schema.sql was not applied: ${message}${hint ? ` (${hint})` : ''}`);
  process.exitCode = 1;
} finally {
  await client.end();
}
