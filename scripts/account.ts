/**
 * `DATABASE_URL=postgres://... npm run account -- COMMAND`: manages accounts and API tokens. With `PUBLIC_URL` it tells whole links.
 */
import { connectDatabase } from '../lib/db.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { asOperator } from '../tooling/operator.ts';
import { readSetupFile, withAnswers } from '../tooling/setup-file.ts';
import { runAccount, USAGE } from './account/run-account.ts';

const { DATABASE_URL: url, PUBLIC_URL: publicUrl = '' } = withAnswers(process.env, await readSetupFile());
if (!url) {
  console.error(`Set DATABASE_URL to the deployment's database.\n${USAGE}`);
  process.exit(1);
}
try {
  const neon = await startNeon({ database: { url } });
  try {
    const ctx = asOperator(connectDatabase({ url: neon.url, endpoint: neon.endpoint }));
    const told = await runAccount({ ctx, args: process.argv.slice(2), publicUrl });
    if (told === undefined) process.exitCode = 1;
    console.log(told ?? USAGE);
  } finally {
    await neon.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
