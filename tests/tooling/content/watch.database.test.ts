import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { guideField } from '../../../lib/content/guide-cache.ts';
import { connectRedis } from '../../../lib/redis.ts';
import { publishGuides } from '../../../tooling/content/publish-guides.ts';
import { readGuides } from '../../../tooling/content/read-guides.ts';
import { watchGuides } from '../../../tooling/content/watch-guides.ts';
import { startUpstash } from '../../../tooling/upstash/start-upstash.ts';
import { edit, GUIDE, makeContent, SOUND, writeFiles } from './content-folder.ts';

const KEY = 'test:guides';
const WITHIN = { timeout: 10_000, interval: 20 };

test('changes are published, broken ones are reported and change nothing', async () => {
  const root = await makeContent(SOUND);
  const upstash = await startUpstash({ redis: 'memory' });
  onTestFinished(() => upstash.close());
  const redis = connectRedis(upstash);
  const log: string[] = [];
  let atOnce = 0;
  const stop = watchGuides(root, async () => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    try {
      await publishGuides(redis, await readGuides(root), { key: KEY, now: Date.now() });
      log.push('published');
    } catch (error) {
      log.push(String(error));
    }
    atOnce -= 1;
  });
  onTestFinished(stop);
  const read = (slug: string) => redis.hget<string>(KEY, guideField('en', slug));

  await expect.poll(() => read('fonts'), WITHIN).toContain('Choose one.');
  await writeFiles(root, { 'guides/fonts/en.md': edit(GUIDE, 'Choose one.', 'Choose two.') });
  await expect.poll(() => read('fonts'), WITHIN).toContain('Choose two.');

  await writeFiles(root, { 'guides/fonts/en.md': edit(GUIDE, 'title: Fonts', 'title:') });
  await expect.poll(() => log.at(-1), WITHIN).toContain('guides/fonts/en.md:2:1 title: must be a string');
  expect(await read('fonts')).toContain('Choose two.');

  const as = (slug: string) => edit(GUIDE, '/guides/fonts', `/guides/${slug}`);
  await writeFiles(root, {
    'guides/fonts/en.md': GUIDE,
    'guides/lines/en.md': as('lines'),
    'guides/colours/en.md': as('colours'),
  });
  await expect.poll(() => read('colours'), WITHIN).toContain('Choose one.');
  await rm(join(root, 'guides/colours'), { recursive: true });
  await expect.poll(() => read('colours'), WITHIN).toBe(null);

  for (const slug of ['fonts', 'lines']) await rm(join(root, 'guides', slug), { recursive: true });
  await expect.poll(() => log.at(-1), WITHIN).toContain('--allow-empty');
  expect(await read('fonts')).toContain('Choose one.');

  await writeFiles(root, { 'guides/fonts/en.md': GUIDE, 'guides/lines/en.md': as('lines') });
  await expect.poll(() => log.at(-1), WITHIN).toBe('published');

  await stop();
  const count = log.length;
  await writeFiles(root, { 'guides/fonts/en.md': edit(GUIDE, 'Choose one.', 'Choose three.') });
  await stop();
  expect(log).toHaveLength(count);
});
