/**
 * `DATABASE_URL=postgres://... npm run db:apply`: upgrades a database to this checkout while the service runs (docs/upgrades.md). Safe
 * to repeat and to stop at any point.
 */
import pg from 'pg';
import { VERSION } from '../lib/version.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import { readSetupFile, withAnswers } from '../tooling/setup-file.ts';

const { DATABASE_URL: url } = withAnswers(process.env, await readSetupFile());
if (!url) {
  console.error(
    'Set DATABASE_URL to the database that is to be brought up, or deploy by npm run setup, which remembers it.',
  );
  process.exit(1);
}
if (new URL(url).hostname.includes('-pooler.')) {
  console.error(
    'DATABASE_URL is the address of a pooler, which has no sessions: take the one without "-pooler".',
  );
  process.exit(1);
}
const client = new pg.Client({ connectionString: url });
// Without a listener, a connection closed by the server would end this process without a message.
client.on('error', () => {});
try {
  await client.connect();
  const { migrations, functionsMade } = await applySchema(client, { report: (line) => console.log(line) });
  console.log(
    migrations.length > 0 || functionsMade
      ? `The database is of ${VERSION} now.`
      : `The database was of ${VERSION} already.`,
  );
} catch (error) {
  const { message, hint } = error as { message: string; hint?: string };
  console.error(`Not finished: ${message}${hint ? ` (${hint})` : ''}`);
  process.exitCode = 1;
} finally {
  await client.end();
}
