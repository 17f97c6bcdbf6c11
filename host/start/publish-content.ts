import { join } from 'node:path';
import { connectRedis } from '../../lib/redis.ts';
import { publishGuides } from '../../tooling/content/publish-guides.ts';
import { readGuides } from '../../tooling/content/read-guides.ts';
import { ROOT } from '../../tooling/deployment.ts';
import type { AskRedis } from '../service.ts';
import { serveOutbound } from '../stores/outbound.ts';

/** Does the same as `npm run content:publish`. */
export async function publishContent(ask: AskRedis): Promise<void> {
  const origin = 'http://publishing.invalid';
  const end = serveOutbound(origin, async ({ path, headers, body }) => {
    const answer = await ask('redis', path, body, headers['upstash-encoding']);
    return new Response(answer.body, { status: answer.status });
  });
  const redis = connectRedis({ url: origin, token: 'own' }, 15_000);
  await publishGuides(redis, await readGuides(join(ROOT, 'content')), { now: Date.now(), allowEmpty: false });
  end();
}
