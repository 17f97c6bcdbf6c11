/**
 * `DATABASE_URL=postgres://... npm run db:apply`: upgrades a database to this checkout while the service runs (docs/upgrades.md). Safe
 * to repeat and to stop at any point.
 */
import { parseArgs } from 'node:util';
import { VERSION } from '../lib/version.ts';
import { runCommand, UsageError } from '../tooling/run-command.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import { connectDirectly } from '../tooling/schema/connect-directly.ts';
import { readSetupFile, withAnswers } from '../tooling/setup-file.ts';

const USAGE = 'DATABASE_URL=postgres://… npm run db:apply';

await runCommand(USAGE, async ({ args, state }) => {
  parseArgs({ args, options: {} });
  const { DATABASE_URL: url } = withAnswers(process.env, await readSetupFile(state));
  if (!url)
    throw new UsageError(
      'Set DATABASE_URL to the database that is to be brought up, or deploy by npm run setup, which remembers it.',
    );
  await connectDirectly(url, async (client) => {
    const { migrations, functionsMade } = await applySchema(client, { report: (line) => console.log(line) });
    console.log(
      migrations.length > 0 || functionsMade
        ? `The database is of ${VERSION} now.`
        : `The database was of ${VERSION} already.`,
    );
  });
});
