import type { Provider } from '../../tooling/provider/connect-provider.ts';
import type { DeployPlan } from './deploy-plan.ts';

type Asked = Pick<Provider, 'queues' | 'secrets'>;

/** Commands that the operator must run before the deployment: one for each missing queue or secret. */
export async function findMissing({ queues, steps }: DeployPlan, provider: Asked): Promise<string[]> {
  const [known, secrets] = await Promise.all([
    provider.queues(),
    Promise.all(
      steps.map(async (step) => ({
        ...step,
        present: step.secrets.length === 0 ? [] : ((await provider.secrets(step.worker)) ?? []),
      })),
    ),
  ]);
  return [
    ...queues.filter((queue) => !known.has(queue)).map((queue) => `npx wrangler queues create ${queue}`),
    ...secrets.flatMap(({ worker, secrets: needed, present }) =>
      needed
        .filter((name) => !present.includes(name))
        .map((name) => `npx wrangler secret put ${name} --name ${worker}`),
    ),
  ];
}

/**
 * Secrets that a deployment can do without, at a price that the operator should know: each as a sentence with what to run. Only for
 * Workers whose secrets can be listed.
 */
export async function findAdvice({ steps }: DeployPlan, provider: Pick<Asked, 'secrets'>): Promise<string[]> {
  const advice = await Promise.all(
    steps
      .filter(({ fn }) => SALT_READERS.has(fn))
      .map(async ({ worker }) => {
        const present = await provider.secrets(worker);
        return present === undefined || present.includes('SALT_REDIS_REST_URL') ? [] : [sharedSalt(worker)];
      }),
  );
  return advice.flat();
}

const sharedSalt = (worker: string): string =>
  `${worker} keeps the day's salt in the Redis of all functions: whoever has its token can read it. Set SALT_REDIS_REST_URL and ` +
  'SALT_REDIS_REST_TOKEN (docs/configuration.md).';

/** The functions that reach the day's salt. */
const SALT_READERS = new Set(['track', 'ingest']);
