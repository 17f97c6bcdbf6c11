/**
 * `npm run deploy [-- <function>...] [--dry-run]`: deploys all functions, or the named ones, in the order of their bindings. It checks
 * first that queues and secrets exist. VENDOR_HOST and CONTENT_HOST are your own hosts. Without them the gateway and the content
 * function get workers.dev addresses, which PUBLIC_URL and CONTENT_URL name.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { experimental_readRawConfig } from 'wrangler';
import { CONFIG_PATH, ROOT, readDeployment } from '../tooling/deployment.ts';
import { readEnvKeys } from '../tooling/read-env-keys.ts';
import { checkVersion } from '../tooling/schema/check-version.ts';
import { buildFunction } from './build/build-function.ts';
import { findBundleFaults } from './build/bundle-rules.ts';
import {
  type DeployPlan,
  type DeployStep,
  type PublicAddress,
  planDeployment,
  type RawConfig,
} from './deploy/deploy-plan.ts';
import { findAdvice, findMissing } from './deploy/find-missing.ts';
import { runWrangler } from './deploy/run-wrangler.ts';

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});

async function makePlan(): Promise<DeployPlan> {
  const functions = readDeployment();
  const envKeys = await Promise.all(
    functions.map(async (spec) => [spec.fn, await readEnvKeys(spec)] as const),
  );
  const config: RawConfig = experimental_readRawConfig({ config: CONFIG_PATH }).rawConfig;
  return planDeployment({
    functions,
    config,
    envKeys: Object.fromEntries(envKeys),
    only: positionals,
    main: readAddress('VENDOR_HOST', 'PUBLIC_URL'),
    content: readAddress('CONTENT_HOST', 'CONTENT_URL'),
  });
}

/** A dry run needs no credentials. */
function readAddress(host: string, url: string): PublicAddress {
  const { [host]: ownHost, [url]: ownUrl } = process.env;
  return { host: ownHost || undefined, url: ownUrl || (values['dry-run'] ? `https://<${url}>` : undefined) };
}

function printPlan({ queues, steps }: DeployPlan): void {
  console.log(`Queues that must exist: ${queues.join(', ') || 'none'}`);
  for (const [index, { worker, secrets, address }] of steps.entries()) {
    console.log(`${index + 1}. ${worker}`);
    console.log(`   answers at: ${address}`);
    console.log(`   secrets:    ${secrets.join(', ') || 'none'}`);
  }
}

async function checkBundle({ fn }: DeployStep): Promise<void> {
  const faults = findBundleFaults(await buildFunction(fn));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Code and database must be of one version (docs/upgrades.md). */
async function checkDatabase(url: string | undefined): Promise<void> {
  if (!url) {
    console.log('The database’s version was not checked: DATABASE_URL is not set.');
    return;
  }
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const fault = await checkVersion(client);
    if (fault !== undefined) throw new Error(fault);
  } finally {
    await client.end();
  }
}

async function deployStep({ fn, worker, config }: DeployStep): Promise<void> {
  const path = join(ROOT, 'dist/deploy', `${fn}.json`);
  await mkdir(join(ROOT, 'dist/deploy'), { recursive: true });
  await writeFile(path, JSON.stringify(config, null, 2));
  const { code } = await runWrangler(['deploy', '--config', path, '--autoconfig', 'false'], true);
  if (code !== 0) throw new Error(`${worker} was not deployed; the functions before it are deployed.`);
}

try {
  const plan = await makePlan();
  printPlan(plan);
  if (values['dry-run']) {
    console.log('Nothing was deployed (--dry-run).');
  } else {
    const missing = await findMissing(plan, runWrangler);
    if (missing.length > 0)
      throw new Error(`Do this first:\n${missing.map((line) => `  ${line}`).join('\n')}`);
    for (const sentence of await findAdvice(plan, runWrangler)) console.log(`Warning: ${sentence}`);
    await checkDatabase(process.env.DATABASE_URL);
    for (const step of plan.steps) await checkBundle(step);
    for (const step of plan.steps) await deployStep(step);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
