/** What an isolate remembers of the guides: how often it asks Redis, and how soon it sees a publication or an outage. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGuideSource, GuidesAway, REMEMBERED_MS } from '../../../lib/content/guide-source.ts';
import { compileSynonyms } from '../../../lib/content/synonyms.ts';
import { connectRedis, type Redis } from '../../../lib/redis.ts';
import { publishGuides } from '../../../tooling/content/publish-guides.ts';
import { startUpstash } from '../../../tooling/upstash/start-upstash.ts';
import { SAMPLE_GUIDES } from '../../functions/content/content-samples.ts';

let upstash: Awaited<ReturnType<typeof startUpstash>>;
let redis: Redis;
let key: string;
let commands: number;
const clock = { now: Date.UTC(2026, 10, 21, 12) };

beforeAll(async () => {
  upstash = await startUpstash({ redis: 'memory' });
  redis = connectRedis(upstash, 10_000);
});
afterAll(() => upstash.close());
beforeEach(async () => {
  key = `test:${crypto.randomUUID()}`;
  commands = 0;
  await publish(SAMPLE_GUIDES);
});

const publish = (guides: typeof SAMPLE_GUIDES) =>
  publishGuides(redis, guides, { now: clock.now, key, allowEmpty: true });
const withText = (text: string) => SAMPLE_GUIDES.map((guide) => ({ ...guide, text }));

function source(behave: () => 'answer' | 'fail' = () => 'answer') {
  const counting = {
    eval: (...args: Parameters<Redis['eval']>) => {
      commands += 1;
      if (behave() === 'fail') return Promise.reject(new Error('cut'));
      return redis.eval(...args);
    },
  } as unknown as Redis;
  const lexicon = (language: 'en' | 'es' | 'pt-PT') => ({
    language,
    synonyms: compileSynonyms({ kinds: {}, asks: [], common: [], groups: [] }, language),
  });
  return createGuideSource({ redis: counting, now: () => clock.now, lexicon, key });
}

describe('commands', () => {
  test('one for each guide and index, then none for a second', async () => {
    const guides = source();
    for (let time = 0; time < 3; time++) {
      expect((await guides.find('en', 'tides'))?.guide.id).toBe('guide:tides');
      expect((await guides.find('en', 'knots'))?.guide.id).toBe('guide:knots');
      expect((await guides.list('en')).entries).not.toHaveLength(0);
      expect((await guides.list('es')).entries).not.toHaveLength(0);
    }
    expect(commands).toBe(4);
    clock.now += REMEMBERED_MS - 1;
    await guides.find('en', 'tides');
    expect(commands).toBe(4);
    clock.now += 1;
    await guides.find('en', 'tides');
    await guides.list('en');
    expect(commands).toBe(5);
  });

  test('a clock that is set back asks again', async () => {
    const guides = source();
    await guides.find('en', 'tides');
    clock.now -= 3_600_000;
    await guides.find('en', 'tides');
    expect(commands).toBe(2);
  });

  test('what isn’t there is asked for each time', async () => {
    const guides = source();
    expect(await guides.find('en', 'nothing')).toBeUndefined();
    expect(await guides.find('en', 'nothing')).toBeUndefined();
    expect(commands).toBe(2);
  });
});

describe('a publication', () => {
  test('shows after a second at the latest, of the same millisecond too', async () => {
    const guides = source();
    const before = await guides.find('en', 'tides');
    await publish(withText('New.'));
    expect((await guides.find('en', 'tides'))?.guide.text).toBe(before?.guide.text);
    clock.now += REMEMBERED_MS;
    expect((await guides.find('en', 'tides'))?.guide.text).toBe('New.');
  });

  test('that one read has seen is seen by all later reads', async () => {
    const guides = source();
    await guides.find('en', 'tides');
    await publish(withText('New.'));
    expect((await guides.find('en', 'knots'))?.guide.text).toBe('New.');
    expect((await guides.find('en', 'tides'))?.guide.text).toBe('New.');
  });
});

describe('an outage', () => {
  test('shows after a second at the latest, and is over at once', async () => {
    let state: 'answer' | 'fail' = 'answer';
    const guides = source(() => state);
    await guides.find('en', 'tides');
    state = 'fail';
    expect((await guides.find('en', 'tides'))?.guide.id).toBe('guide:tides');
    await expect(guides.find('en', 'knots')).rejects.toBeInstanceOf(GuidesAway);
    clock.now += REMEMBERED_MS;
    await expect(guides.find('en', 'tides')).rejects.toBeInstanceOf(GuidesAway);
    await expect(guides.list('en')).rejects.toBeInstanceOf(GuidesAway);
    state = 'answer';
    expect((await guides.find('en', 'tides'))?.guide.id).toBe('guide:tides');
  });
});
