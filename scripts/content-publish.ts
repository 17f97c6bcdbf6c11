/**
 * `npm run content:publish [-- --watch] [-- --allow-empty]`: writes the public guides to the Redis of the content service. Without
 * `--allow-empty` it refuses to publish none, and to take away over a third of the published ones.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectRedis, type Redis } from '../lib/redis.ts';
import { findRedis } from '../tooling/content/find-redis.ts';
import { type Progress, publishGuides } from '../tooling/content/publish-guides.ts';
import { readGuides } from '../tooling/content/read-guides.ts';
import { watchGuides } from '../tooling/content/watch-guides.ts';
import { ROOT } from '../tooling/deployment.ts';
import { readRunning } from '../tooling/local-folder.ts';
import { onStop } from '../tooling/on-stop.ts';
import { runCommand } from '../tooling/run-command.ts';
import { readCommandEnv } from '../tooling/setup-file.ts';

const FOLDER = join(ROOT, 'content');
/** Longer than the service's own time-out: guides are large, and a writer's connection may be slow. */
const TIMEOUT_MS = 15_000;

async function publish(redis: Redis, allowEmpty: boolean): Promise<void> {
  const guides = await readGuides(FOLDER);
  const { revision } = await publishGuides(redis, guides, {
    now: Date.now(),
    onProgress: showProgress,
    allowEmpty,
  });
  console.log(`published revision ${revision}: ${guides.length} guides`);
}

function showProgress({ done, of, guide: { slug, language, text } }: Progress): void {
  console.log(`staged ${done}/${of} ${slug} ${language} ${text.length.toLocaleString('en')} characters`);
}

const USAGE = 'npm run content:publish [-- --watch] [-- --allow-empty]';

await runCommand(USAGE, async ({ args, state }) => {
  const { values } = parseArgs({
    args,
    options: {
      watch: { type: 'boolean', default: false },
      'allow-empty': { type: 'boolean', default: false },
    },
  });
  const allowEmpty = values['allow-empty'];
  const address = findRedis(await readCommandEnv(process.env, state), await readRunning());
  const redis = connectRedis(address, TIMEOUT_MS);
  console.log(`publishing to ${address.url}`);
  if (!values.watch) return publish(redis, allowEmpty);
  console.log('watching content/guides; Ctrl-C ends');
  const stop = watchGuides(FOLDER, async () => {
    await publish(redis, allowEmpty).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      console.error('not published; the last good publication stays');
    });
  });
  onStop(stop);
});
