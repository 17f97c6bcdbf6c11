/** `DATABASE_URL=postgres://... npm run db:apply`: brings a database up to `schema/`. Safe to repeat. */
import pg from 'pg';
import { applySchema } from '../tooling/schema/apply-schema.ts';

const url = process.env.DATABASE_URL;
if (!url) {
  console.error('Set DATABASE_URL to the database that schema/ shall be applied to.');
  process.exit(1);
}
const client = new pg.Client({ connectionString: url });
try {
  await client.connect();
  await applySchema(client);
  console.log('The schema is applied.');
} catch (error) {
  const { message, hint } = error as { message: string; hint?: string };
  console.error(`The schema was not applied: ${message}${hint ? ` (${hint})` : ''}`);
  process.exitCode = 1;
} finally {
  await client.end();
}
