/** `npm run content:publish [-- --watch]`: writes the public guides to the Redis that the content service reads. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRunning } from '../dev/local-folder.ts';
import { onStop } from '../dev/on-stop.ts';
import { watchSources } from '../dev/watch.ts';
import { connectRedis, type Redis } from '../lib/redis.ts';
import { findRedis } from './content/find-redis.ts';
import { type Progress, publishGuides } from './content/publish-guides.ts';
import { readGuides } from './content/read-guides.ts';
import { ROOT } from './lib/deployment.ts';

const FOLDER = join(ROOT, 'content');
/** Bodies are larger, and a writer's line slower, than what a visitor's request waits for. */
const TIMEOUT_MS = 15_000;
/** Files that don't begin with a dot, as editors' own do. */
const WATCHED = /(^|[\\/])[^.\\/][^\\/]*$/;

async function publish(redis: Redis): Promise<void> {
  const guides = await readGuides(FOLDER);
  const { revision } = await publishGuides(redis, guides, { now: Date.now(), onProgress: showProgress });
  console.log(`published revision ${revision}: ${guides.length} guides`);
}

function showProgress({ done, of, guide: { slug, language, text } }: Progress): void {
  console.log(`staged ${done}/${of} ${slug} ${language} ${text.length.toLocaleString('en')} characters`);
}

/** Tells what went wrong: the last good publication stays. */
async function tryToPublish(redis: Redis): Promise<boolean> {
  try {
    await publish(redis);
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error('not published; what was published before is still there');
    return false;
  }
}

/** Publishes now and after each change, one after the other, until Ctrl-C. */
function watchAndPublish(redis: Redis): void {
  let last: Promise<unknown> = tryToPublish(redis);
  const stopWatching = watchSources(
    [join(FOLDER, 'guides')],
    async () => {
      await last;
      last = tryToPublish(redis);
      await last;
    },
    WATCHED,
  );
  onStop(async () => {
    stopWatching();
    await last;
  });
  console.log('watching content/guides; Ctrl-C ends');
}

try {
  const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } });
  const redis = connectRedis(findRedis(process.env, await readRunning()), TIMEOUT_MS);
  if (values.watch) watchAndPublish(redis);
  else if (!(await tryToPublish(redis))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
