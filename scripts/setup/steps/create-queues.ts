/** Queues: events wait in one while the database is away, and end in the other if they can't be stored. */
import { ProviderError } from '../../../tooling/provider/provider-error.ts';
import type { Step } from '../step.ts';

/** The provider's fault for a queue that exists. */
const TAKEN = 11009;

export const createQueues: Step = {
  title: 'Create the queues',
  plan: ({ deployment }) =>
    deployment.queues.map((queue) => `npx wrangler queues create ${queue}, unless it exists`),
  async run({ provider, deployment, tell }) {
    const known = await provider.queues();
    for (const queue of deployment.queues) {
      if (known.has(queue)) {
        tell(`${queue} exists`);
        continue;
      }
      await provider.createQueue(queue).catch((error: unknown) => {
        if (!(error instanceof ProviderError) || error.code !== TAKEN) throw error;
      });
      tell(`${queue} is made`);
    }
  },
};
