import { join } from 'node:path';
import { connectRedis } from '../../lib/redis.ts';
import { publishGuides } from '../../tooling/content/publish-guides.ts';
import { readGuides } from '../../tooling/content/read-guides.ts';
import { ROOT } from '../../tooling/deployment.ts';
import type { AskRedis } from '../service.ts';
import { serveOutbound } from '../stores/outbound.ts';

/** Guides published over 24 hours ago are stale (docs/content.md#guides). */
const AGAIN_MS = 12 * 60 * 60 * 1000;

/** Publishes the guides as `npm run content:publish` does, now and twice a day from then on. The result ends it, and resolves when nothing is published any more. */
export async function keepContentPublished(
  ask: AskRedis,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  await publishContent(ask);
  let running = Promise.resolve();
  const timer = setInterval(() => {
    // One at a time: two would answer each other's questions.
    running = running.then(() => publishContent(ask)).catch(onError);
  }, AGAIN_MS);
  return () => {
    clearInterval(timer);
    return running;
  };
}

async function publishContent(ask: AskRedis): Promise<void> {
  const origin = 'http://publishing.invalid';
  const end = serveOutbound(origin, async ({ path, headers, body }) => {
    const answer = await ask('redis', path, body, headers['upstash-encoding']);
    return new Response(answer.body, { status: answer.status });
  });
  const redis = connectRedis({ url: origin, token: 'own' }, 15_000);
  try {
    await publishGuides(redis, await readGuides(join(ROOT, 'content')), {
      now: Date.now(),
      allowEmpty: false,
    });
  } finally {
    end();
  }
}
