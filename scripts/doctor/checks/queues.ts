/** Nothing waits for long in a queue, and nothing ended as a dead letter. */
import { listDeadLetters } from '../../../lib/collection/dead-letters.ts';
import type { DeployPlan } from '../../deploy/deploy-plan.ts';
import { ageOf, type Check, type Finding, type Patient, withoutDatabase } from '../check.ts';

const LONGEST_WAIT_MS = 15 * 60_000;
const MOST_MESSAGES = 10_000;

export const queues = (plan: () => Promise<DeployPlan>): Check => ({
  title: 'Queues and dead letters',
  async run(patient) {
    const { provider, sql } = patient;
    const findings: Finding[] = [];
    if (provider !== undefined)
      findings.push(...(await checkQueues(patient, provider, (await plan()).queues)));
    if (sql === undefined) return { ...withoutDatabase(patient), findings };
    const { groups } = await listDeadLetters({ sql }, { limit: 1 });
    const letters = groups.reduce((sum, group) => sum + group.letters, 0);
    if (letters > 0)
      findings.push({
        fault: `${letters} events could not be stored (${groups[0]?.reason}).`,
        mend: 'npm run dead-letters -- list, then npm run dead-letters -- replay',
      });
    return {
      findings,
      well: provider === undefined ? 'no dead letters' : 'no dead letters, and no event waits for long',
      ...(provider === undefined && { notChecked: 'queues: there is no provider’s account' }),
    };
  },
});

async function checkQueues(
  { now }: Patient,
  provider: NonNullable<Patient['provider']>,
  names: string[],
): Promise<Finding[]> {
  const known = await provider.queues();
  const found = await Promise.all(
    names.map(async (name): Promise<Finding[]> => {
      const id = known.get(name);
      if (id === undefined)
        return [{ fault: `The queue ${name} is missing.`, mend: `npx wrangler queues create ${name}` }];
      const { messages, oldest } = await provider.backlog(id);
      const waits = messages === 0 || oldest === undefined ? 0 : now() - oldest;
      if (messages <= MOST_MESSAGES && waits <= LONGEST_WAIT_MS) return [];
      return [
        {
          fault: `${messages} messages wait in ${name}${waits > 0 ? `, the oldest for ${ageOf(waits)}` : ''}: they aren't stored as fast as they come.`,
          mend: 'npx wrangler tail vendor-ingest says why; a busy database needs a larger compute',
        },
      ];
    }),
  );
  return found.flat();
}
