import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  GuideBody,
  GuideHead,
  GuideIndex,
  guideField,
  indexField,
} from '../../../lib/content/guide-cache.ts';
import { revisionOf } from '../../../lib/content/revision.ts';
import { LANGUAGES } from '../../../lib/languages.ts';
import { connectRedis, type Redis } from '../../../lib/redis.ts';
import { type Progress, publishGuides } from '../../../tooling/content/publish-guides.ts';
import type { PublicGuide } from '../../../tooling/content/read-guides.ts';
import { startUpstash, type Upstash } from '../../../tooling/upstash/start-upstash.ts';
import { uniquePrefix, variants } from '../upstash-variants.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
/** More bytes than the endpoint accepts in one request. */
const TOO_LARGE = 11 * 1024 * 1024;

const guide = (slug: string, language: PublicGuide['language'], text: string): PublicGuide => ({
  ...{ slug, language, text },
  title: `Title of ${slug}`,
  description: text.slice(0, 20),
  url: `https://www.caisnorte.example/guides/${slug}`,
  updatedAt: null,
});

/** A set of guides whose texts all contain its name. */
const setOf = (name: string): PublicGuide[] =>
  ['a', 'b', 'c', 'é'].flatMap((slug) =>
    LANGUAGES.map((language) => guide(slug, language, `${name} ${'🙂'.repeat(500)}`)),
  );

const FIELDS = [
  'head',
  ...LANGUAGES.map(indexField),
  ...setOf('').map(({ language, slug }) => guideField(language, slug)),
];

const Values = v.array(v.nullable(v.string()));
/** The values that a reader gets with one command. */
const readAll = async (redis: Redis, key: string): Promise<(string | null)[]> =>
  v.parse(Values, await redis.hmget(key, ...FIELDS));

describe.each(variants)('$name Redis', ({ start }) => {
  let upstash: Upstash;
  let redis: Redis;
  beforeAll(async () => {
    upstash = await start();
    redis = connectRedis(upstash);
  });
  afterAll(() => upstash.close());

  function useKey(): string {
    const key = `${uniquePrefix()}guides`;
    onTestFinished(async () => {
      await redis.del(key);
    });
    return key;
  }
  const staged = async (key: string): Promise<string[]> => {
    const found: string[] = [];
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, { match: `${key}:staged:*`, count: 1000 });
      found.push(...keys);
      cursor = String(next);
    } while (cursor !== '0');
    return found;
  };

  it('gets guides in the shapes that the reader takes, kept for good', async () => {
    const key = useKey();
    const guides = [guide('a', 'en', 'One.'), guide('a', 'es', 'Uno.'), guide('b', 'en', 'Two.')];
    const progress: Progress[] = [];
    const published = await publishGuides(redis, guides, {
      key,
      now: NOW,
      onProgress: (step) => progress.push(step),
    });
    expect(progress.map(({ done, of, guide: { slug } }) => `${done}/${of} ${slug}`)).toEqual([
      '1/3 a',
      '2/3 a',
      '3/3 b',
    ]);
    expect(published).toMatchObject({ guides: 3, revision: expect.stringMatching(/^[0-9a-f]{16}$/) });

    const at = async (field: string): Promise<unknown> =>
      JSON.parse(v.parse(v.string(), await redis.hget(key, field)));
    expect(await redis.hlen(key)).toBe(7);
    const { text, revision, ...entry } = v.parse(GuideBody, await at('guide:es:a'));
    expect([text, revision]).toEqual(['Uno.', await revisionOf({ ...entry, text })]);
    const index = v.parse(GuideIndex, await at('index:en'));
    expect(index.map(({ id }) => id)).toEqual(['guide:a', 'guide:b']);
    expect(v.parse(GuideIndex, await at('index:es'))).toEqual([entry]);
    const head = v.parse(GuideHead, await at('head'));
    expect(head).toMatchObject({ format: 1, cachedAt: '2026-11-21T09:30:00.000Z' });
    expect(head.indexes).toEqual({
      en: await revisionOf(index),
      es: await revisionOf([entry]),
      'pt-PT': await revisionOf([]),
    });
    expect(await redis.ttl(key)).toBe(-1);
    expect(await staged(key)).toEqual([]);
  });

  it('gets an empty set only if that is allowed', async () => {
    const key = useKey();
    await expect(publishGuides(redis, [], { key, now: NOW })).rejects.toThrow(
      'There are no public guides in content/guides. To publish none, add --allow-empty.',
    );
    expect(await redis.hlen(key)).toBe(0);
    await publishGuides(redis, setOf('old'), { key, now: NOW });
    const before = await readAll(redis, key);
    await expect(publishGuides(redis, [], { key, now: NOW })).rejects.toThrow('--allow-empty');
    expect(await readAll(redis, key)).toEqual(before);
    expect(await staged(key)).toEqual([]);
    await publishGuides(redis, [], { key, now: NOW, allowEmpty: true });
    for (const field of ['head', 'index:en', 'index:es', 'index:pt-PT']) {
      expect(await redis.hget(key, field)).not.toBeNull();
    }
    expect(await redis.hlen(key)).toBe(4);
  });

  it('loses over a third of the guides only if that is allowed', async () => {
    const key = useKey();
    const all = setOf('old');
    await publishGuides(redis, all, { key, now: NOW });
    const kept = all.slice(5);
    await expect(publishGuides(redis, kept, { key, now: NOW })).rejects.toThrow(
      '5 of 12 published guides would disappear: a en, a es, a pt-PT, b en, b es. If that is meant, add --allow-empty.',
    );
    const renamed = all.map((one, at) => (at < 5 ? { ...one, slug: `${one.slug}-new` } : one));
    await expect(publishGuides(redis, renamed, { key, now: NOW })).rejects.toThrow('5 of 12');
    expect(await redis.hlen(key)).toBe(16);
    await publishGuides(redis, all.slice(4), { key, now: NOW });
    expect(await redis.hlen(key)).toBe(12);
    await publishGuides(redis, all.slice(8), { key, now: NOW, allowEmpty: true });
    expect(await redis.hlen(key)).toBe(8);
  });

  it('names at most ten of the guides that would disappear', async () => {
    const key = useKey();
    await publishGuides(redis, setOf('old'), { key, now: NOW });
    await expect(publishGuides(redis, [guide('z', 'en', 'Last.')], { key, now: NOW })).rejects.toThrow(
      '12 of 12 published guides would disappear: a en, a es, a pt-PT, b en, b es, b pt-PT, c en, c es, c pt-PT, é en and 2 more.',
    );
  });

  it('has what is staged for an hour only', async () => {
    const key = useKey();
    const ends: number[] = [];
    const looks: Promise<void>[] = [];
    const look = async (): Promise<void> => {
      for (const name of await staged(key)) ends.push(await redis.ttl(name));
    };
    await publishGuides(redis, setOf('x'), { key, now: NOW, onProgress: () => looks.push(look()) });
    await Promise.all(looks);
    const kept = ends.filter((seconds) => seconds !== -2);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every((seconds) => seconds > 3500 && seconds <= 3600)).toBe(true);
  });

  it('shows a reader one set or the other, whoever publishes meanwhile', { timeout: 180_000 }, async () => {
    const key = useKey();
    await publishGuides(redis, setOf('red'), { key, now: NOW });
    let isOver = false;
    const publishMany = async (first: string, second: string): Promise<void> => {
      for (let turn = 0; turn < 12; turn++) {
        await publishGuides(redis, setOf(turn % 2 === 0 ? first : second), { key, now: NOW + turn });
      }
    };
    const seen = new Map<string, number>();
    const read = async (): Promise<void> => {
      while (!isOver) {
        const values = await readAll(redis, key);
        const head = v.parse(GuideHead, JSON.parse(values[0] ?? ''));
        const entries = v.parse(GuideIndex, JSON.parse(values[1] ?? ''));
        expect(head.indexes.en).toBe(await revisionOf(entries));
        const names = new Set(
          values.slice(1).flatMap((value) => /red|blue/.exec(value ?? 'nothing')?.[0] ?? 'nothing'),
        );
        const all = [...names].join(' and ');
        seen.set(all, (seen.get(all) ?? 0) + 1);
      }
    };
    const readers = [read(), read()];
    await Promise.all([publishMany('red', 'blue'), publishMany('blue', 'red')]).finally(() => {
      isOver = true;
    });
    await Promise.all(readers);
    expect([...seen.keys()].sort()).toEqual(['blue', 'red']);
    expect(await staged(key)).toEqual([]);
  });

  it('keeps the last good set when a publication fails midway', async () => {
    const key = useKey();
    await publishGuides(redis, setOf('good'), { key, now: NOW });
    const before = await readAll(redis, key);
    const broken = [...setOf('bad'), guide('z', 'en', 'x'.repeat(TOO_LARGE))];
    let done = 0;
    const failing = publishGuides(redis, broken, {
      key,
      now: NOW,
      onProgress: (step) => {
        done = step.done;
      },
    });
    await expect(failing).rejects.toThrow();
    expect(done).toBe(broken.length - 1);
    expect(await readAll(redis, key)).toEqual(before);
    expect(await staged(key)).toEqual([]);
  });

  it('is not given a part of a set whose staged rest has expired', async () => {
    const key = useKey();
    await publishGuides(redis, setOf('good'), { key, now: NOW });
    const before = await readAll(redis, key);
    let expired: Promise<unknown> = Promise.resolve();
    const expire = async (): Promise<void> => {
      for (const name of await staged(key)) await redis.del(name);
    };
    const failing = publishGuides(redis, setOf('bad'), {
      key,
      now: NOW,
      onProgress: ({ done }) => {
        if (done === 6) expired = expire();
      },
    });
    await expect(failing).rejects.toThrow('Publish again');
    await expired;
    expect(await readAll(redis, key)).toEqual(before);
    expect(await staged(key)).toEqual([]);
  });
});

it('fails when Redis is away', async () => {
  const upstash = await startUpstash({ redis: 'memory' });
  await upstash.close();
  await expect(publishGuides(connectRedis(upstash), setOf('x'), { now: NOW })).rejects.toThrow(
    "The guides can't be published: TypeError: fetch failed",
  );
});

it('names what Redis refused, without the guide', async () => {
  const upstash = await startUpstash({ redis: 'memory' });
  onTestFinished(() => upstash.close());
  const redis = connectRedis({ url: upstash.url, token: 'wrong' });
  await expect(publishGuides(redis, setOf('x'), { now: NOW })).rejects.toThrow(/WRONGPASS [^{]{0,60}$/);
});
