import type { DeployPlan } from './deploy-plan.ts';
import type { WranglerResult } from './run-wrangler.ts';

/** Commands that the operator must run before the deployment: one for each missing queue or secret. */
export async function findMissing(
  { queues, steps }: DeployPlan,
  run: (args: string[]) => Promise<WranglerResult>,
): Promise<string[]> {
  const missing: string[] = [];
  for (const queue of queues) {
    const { code, output } = await run(['queues', 'info', queue]);
    if (code !== 0) missing.push(explain(output, `npx wrangler queues create ${queue}`));
  }
  for (const { worker, secrets } of steps) {
    if (secrets.length === 0) continue;
    const { code, output } = await run(['secret', 'list', '--name', worker, '--format', 'json']);
    const present = code === 0 ? readNames(output) : [];
    for (const secret of secrets.filter((name) => !present.includes(name))) {
      missing.push(explain(code === 0 ? '' : output, `npx wrangler secret put ${secret} --name ${worker}`));
    }
  }
  return [...new Set(missing)];
}

/**
 * Secrets that a deployment can do without, at a price that the operator should know: each as a sentence with what to run. Only for
 * Workers whose secrets can be listed.
 */
export async function findAdvice(
  { steps }: DeployPlan,
  run: (args: string[]) => Promise<WranglerResult>,
): Promise<string[]> {
  const advice: string[] = [];
  for (const { worker } of steps.filter(({ fn }) => SALT_READERS.has(fn))) {
    const { code, output } = await run(['secret', 'list', '--name', worker, '--format', 'json']);
    if (code === 0 && !readNames(output).includes('SALT_REDIS_REST_URL'))
      advice.push(
        `${worker} keeps the day's salt in the Redis of all functions: whoever has its token can read it. Set SALT_REDIS_REST_URL and ` +
          'SALT_REDIS_REST_TOKEN (docs/configuration.md).',
      );
  }
  return advice;
}

/** The functions that reach the day's salt. */
const SALT_READERS = new Set(['track', 'ingest']);

/** Missing credentials must be corrected first, whatever else is missing. */
function explain(output: string, command: string): string {
  return /CLOUDFLARE_API_TOKEN|not authenticated|wrangler login/i.test(output)
    ? 'npx wrangler login   (or set CLOUDFLARE_API_TOKEN)'
    : command;
}

function readNames(output: string): string[] {
  const secrets = JSON.parse(output.slice(output.indexOf('['))) as { name: string }[];
  return secrets.map(({ name }) => name);
}
