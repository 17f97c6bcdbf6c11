/** Each Worker is there and has its secrets, and each role signs in. */
import pg from 'pg';
import type { DeployPlan } from '../../deploy/deploy-plan.ts';
import type { Check, Finding, Patient } from '../check.ts';

const CONNECT_MS = 10_000;

export const secrets = (plan: () => Promise<DeployPlan>): Check => ({
  title: 'Workers and secrets',
  async run(patient) {
    const findings = await checkRoles(patient);
    const { provider } = patient;
    if (provider === undefined)
      return {
        findings,
        notChecked: 'needs access to Cloudflare (npx wrangler login, or CLOUDFLARE_API_TOKEN)',
      };
    const { steps } = await plan();
    const found = await Promise.all(steps.map((step) => checkWorker(provider, step)));
    return { findings: [...findings, ...found.flat()], well: `${steps.length} Workers have what they need` };
  },
});

async function checkWorker(
  provider: NonNullable<Patient['provider']>,
  { fn, worker, secrets: needed }: DeployPlan['steps'][number],
): Promise<Finding[]> {
  const [present, deployments] = await Promise.all([provider.secrets(worker), provider.deployments(worker)]);
  if (present === undefined || !deployments?.length)
    return [{ fault: `${worker} isn't deployed.`, mend: `npm run setup, or npm run deploy -- ${fn}` }];
  const missing = needed.filter((name) => !present.includes(name));
  return missing.length === 0
    ? []
    : [
        {
          fault: `${worker} lacks ${missing.join(', ')}: it answers 500.`,
          mend: `npm run setup, or npx wrangler secret put ${missing[0]} --name ${worker}`,
        },
      ];
}

async function checkRoles({ roles }: Patient): Promise<Finding[]> {
  const faults = await Promise.all(
    [...roles].map(async ([role, url]): Promise<Finding[]> => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query('select version from schema_version');
        return [];
      } catch (error) {
        return [
          {
            fault: `The role ${role} can't read the database (${(error as Error).message}).`,
            mend: 'npm run setup   (it sets the role’s password and rights again)',
          },
        ];
      } finally {
        await client.end().catch(() => {});
      }
    }),
  );
  return faults.flat();
}
