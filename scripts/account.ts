/**
 * `DATABASE_URL=postgres://... npm run account -- COMMAND`: manages accounts and API tokens. With `PUBLIC_URL` it tells whole links.
 */
import { connectDatabase } from '../lib/db.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { asOperator } from '../tooling/operator.ts';
import { runCommand, UsageError } from '../tooling/run-command.ts';
import { readSetupFile, withAnswers } from '../tooling/setup-file.ts';
import { readAuthKeys } from './account/read-auth-keys.ts';
import { runAccount, USAGE } from './account/run-account.ts';

await runCommand(USAGE, async ({ args, state }) => {
  const file = await readSetupFile(state);
  const { DATABASE_URL: url, PUBLIC_URL: publicUrl = '' } = withAnswers(process.env, file);
  if (!url) throw new UsageError("Set DATABASE_URL to the deployment's database.");
  const neon = await startNeon({ database: { url } });
  try {
    const ctx = asOperator(connectDatabase({ url: neon.url, endpoint: neon.endpoint }));
    const output = await runAccount({ ctx, args, publicUrl, authKeys: readAuthKeys(process.env, file) });
    if (output === undefined) throw new UsageError('Say what to do, and for whom.');
    console.log(output);
  } finally {
    await neon.close();
  }
});
