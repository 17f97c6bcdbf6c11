/** `npm run setup`: deploys the whole service from a few answers (docs/deploy.md). */
import { runDestroy } from './setup/run-destroy.ts';
import { runSetup } from './setup/run-setup.ts';
import { readSetupOptions, SetupUsageError, USAGE } from './setup/setup-options.ts';
import { openTerminal } from './setup/terminal.ts';

try {
  const options = await readSetupOptions(process.argv.slice(2), process.env);
  const ctx = { env: process.env, ask: openTerminal(), tell: (line: string) => console.log(line), fetch };
  if (options.help) console.log(USAGE);
  else if (options.destroy) await runDestroy(ctx, options);
  else await runSetup(ctx, options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof SetupUsageError) console.error(`\n${USAGE}`);
  process.exitCode = 1;
}
