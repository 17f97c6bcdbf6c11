import { experimental_readRawConfig } from 'wrangler';
import { CONFIG_PATH, readDeployment } from '../../tooling/deployment.ts';
import { readEnvKeys } from '../../tooling/read-env-keys.ts';
import { type DeployPlan, type PublicAddress, planDeployment, type RawConfig } from './deploy-plan.ts';

export interface Addresses {
  main: PublicAddress;
  content: PublicAddress;
}

/** The plan for this checkout. `only`: functions by name; none: all. Throws a sentence for the operator. */
export async function makePlan({ main, content }: Addresses, only: string[] = []): Promise<DeployPlan> {
  const functions = readDeployment();
  const envKeys = await Promise.all(
    functions.map(async (spec) => [spec.fn, await readEnvKeys(spec)] as const),
  );
  const config: RawConfig = experimental_readRawConfig({ config: CONFIG_PATH }).rawConfig;
  return planDeployment({
    ...{ functions, config, only, main, content },
    envKeys: Object.fromEntries(envKeys),
  });
}

/** The hosts or addresses that the environment names. A dry run does without. */
export function readAddresses(
  env: Readonly<Record<string, string | undefined>>,
  isDryRun: boolean,
): Addresses {
  const read = (host: string, url: string): PublicAddress => ({
    host: env[host] || undefined,
    url: env[url] || (isDryRun ? `https://<${url}>` : undefined),
  });
  return { main: read('VENDOR_HOST', 'PUBLIC_URL'), content: read('CONTENT_HOST', 'CONTENT_URL') };
}
