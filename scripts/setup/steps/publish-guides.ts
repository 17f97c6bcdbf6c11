/** The guides of the content service, which count as stale after 24 hours. */
import { join } from 'node:path';
import { connectRedis } from '../../../lib/redis.ts';
import { publishGuides as publish } from '../../../tooling/content/publish-guides.ts';
import { readGuides } from '../../../tooling/content/read-guides.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import type { Step } from '../step.ts';

const TIMEOUT_MS = 15_000;

export const publishGuides: Step = {
  title: 'Publish the guides',
  plan: () => ['npm run content:publish: the guides of content/ into Redis. Do it once a day from then on.'],
  async run({ file: { answers }, tell, notes }) {
    const { UPSTASH_REDIS_REST_URL: url = '', UPSTASH_REDIS_REST_TOKEN: token = '' } = answers;
    const guides = await readGuides(join(ROOT, 'content'));
    const { revision } = await publish(connectRedis({ url, token }, TIMEOUT_MS), guides, { now: Date.now() });
    tell(`${guides.length} guides, revision ${revision}`);
    notes.push(
      'Guides count as stale after 24 hours: let a scheduler run npm run content:publish once a day.',
    );
  },
};
