/**
 * `npm run deploy [-- <function>...] [--dry-run]`: deploys all functions, or the named ones, in the order of their bindings. It checks
 * first that queues and secrets exist, and that the database is of this version. `--rollback` goes back to the release before. Addresses
 * and DATABASE_URL come from the environment, otherwise from what `npm run setup` was answered.
 */
import { parseArgs } from 'node:util';
import { readDeployment } from '../tooling/deployment.ts';
import { openAccount } from '../tooling/provider/open-account.ts';
import { runCommand } from '../tooling/run-command.ts';
import { readSetupFile, withAnswers } from '../tooling/setup-file.ts';
import { checkDatabase } from './deploy/check-database.ts';
import { type BuiltStep, buildStep, deployFunction } from './deploy/deploy-function.ts';
import { type DeployPlan, orderByBindings } from './deploy/deploy-plan.ts';
import { findAdvice, findMissing } from './deploy/find-missing.ts';
import { makePlan, readAddresses } from './deploy/make-plan.ts';
import { readReleaseLabel } from './deploy/release-label.ts';
import { rollBack } from './deploy/roll-back.ts';

const USAGE = 'npm run deploy [-- FUNCTION…] [--dry-run] [--rollback [--force]]';

interface Choice {
  /** Names of functions; none: all. */
  names: string[];
  dryRun: boolean;
  force: boolean;
  env: Record<string, string | undefined>;
  accountId: string | undefined;
}

function printPlan({ queues, steps }: DeployPlan): void {
  console.log(`Queues that must exist: ${queues.join(', ') || 'none'}`);
  for (const [index, { worker, secrets, address }] of steps.entries()) {
    console.log(`${index + 1}. ${worker}`);
    console.log(`   answers at: ${address}`);
    console.log(`   secrets:    ${secrets.join(', ') || 'none'}`);
  }
}

async function deploy({ names, dryRun, env, accountId }: Choice): Promise<void> {
  const plan = await makePlan(readAddresses(env, dryRun), names);
  printPlan(plan);
  if (dryRun) return console.log('Nothing was deployed (--dry-run).');
  const provider = await openAccount({ env, accountId });
  const missing = await findMissing(plan, provider);
  if (missing.length > 0)
    throw new Error(
      `Do this first, or all of it by npm run setup:\n${missing.map((line) => `  ${line}`).join('\n')}`,
    );
  for (const sentence of await findAdvice(plan, provider)) console.log(`Warning: ${sentence}`);
  if (env.DATABASE_URL) await checkDatabase(env.DATABASE_URL);
  else console.log('The database’s version was not checked: DATABASE_URL is not set.');
  const built: BuiltStep[] = [];
  for (const step of plan.steps) built.push(await buildStep(step));
  const label = await readReleaseLabel();
  for (const [index, one] of built.entries()) {
    await deployFunction(one, { label, env: { CLOUDFLARE_ACCOUNT_ID: provider.accountId } });
    console.log(`${index + 1}/${built.length} ${one.step.worker} deployed`);
  }
}

/** The older code works on the newer database: docs/upgrades.md#expand-deploy-contract. */
async function goBack({ names, dryRun, force, env, accountId }: Choice): Promise<void> {
  const functions = orderByBindings(readDeployment());
  const chosen = functions.filter(({ fn }) => names.length === 0 || names.includes(fn));
  const unknown = names.filter((fn) => functions.every((spec) => spec.fn !== fn));
  if (unknown.length > 0) throw new Error(`wrangler.toml has no function named ${unknown.join(', ')}`);
  await rollBack({
    provider: await openAccount({ env, accountId }),
    workers: chosen.map(({ name }) => name),
    ...{ force, dryRun },
    tell: (line) => console.log(line),
  });
  console.log('The database stays as it is: the code of one release before works on it (docs/upgrades.md).');
}

await runCommand(USAGE, async ({ args, state }) => {
  const { values, positionals: names } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean', default: false },
      rollback: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const kept = await readSetupFile(state);
  const env = withAnswers(process.env, kept);
  const choice = { names, dryRun: values['dry-run'], force: values.force, env, accountId: kept.accountId };
  await (values.rollback ? goBack(choice) : deploy(choice));
});
