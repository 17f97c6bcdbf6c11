import { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upstash } from '../../tooling/upstash/start-upstash.ts';
import { connect, post, uniquePrefix, variants } from './upstash-variants.ts';

describe.each(variants)('the REST protocol over the $name Redis', (variant) => {
  let upstash: Upstash;
  let redis: Redis;
  beforeAll(async () => {
    upstash = await variant.start();
    redis = connect(upstash);
  });
  afterAll(() => upstash.close());

  it('carries values through the client unharmed', async () => {
    const key = `${uniquePrefix()}value`;
    for (const value of ['', 'OK', 'T0s=', 'null', '007', 'é🙂\0\u2028"\\', 'x'.repeat(1_000_000)]) {
      expect(await redis.set(key, value, { px: 60_000 })).toBe('OK');
      expect(await redis.get(key)).toBe(value);
    }
    const parsing = new Redis({ url: upstash.url, token: upstash.token });
    await parsing.set(key, { a: [1, 'é', null] }, { ex: 60 });
    expect(await parsing.get(key)).toEqual({ a: [1, 'é', null] });
    await parsing.hset(`${key}:hash`, { n: 1, list: [1, 2], text: 'é' });
    expect(await parsing.hgetall(`${key}:hash`)).toEqual({ n: 1, list: [1, 2], text: 'é' });
    expect(await parsing.hgetall(`${key}:nothing`)).toBeNull();
    expect(await parsing.del(`${key}:hash`)).toBe(1);
  });

  it('writes strings in Base64 when asked to, at every depth', async () => {
    const script = "return {'a', 1, {'é', false, {{ok = 'OK'}, 'b'}}}";
    const body = JSON.stringify(['EVAL', script, 0]);
    const plain = await post(upstash, '/', body);
    expect(await plain.json()).toEqual({ result: ['a', 1, ['é', null, ['OK', 'b']]] });
    const encoded = await post(upstash, '/', body, { 'Upstash-Encoding': 'base64' });
    expect(await encoded.json()).toEqual({ result: ['YQ==', 1, ['w6k=', null, ['T0s=', 'Yg==']]] });
  });

  it('answers each command of a pipeline by itself', async () => {
    const key = `${uniquePrefix()}p`;
    const results = await redis
      .pipeline()
      .set(key, 'text', { ex: 60 })
      .incrby(key, 1)
      .get(key)
      .get(`${key}:nothing`)
      .exec({ keepErrors: true });
    expect(results).toEqual([
      { result: 'OK', error: undefined },
      { result: undefined, error: 'ERR value is not an integer or out of range' },
      { result: 'text', error: undefined },
      { result: null, error: undefined },
    ]);
  });

  it('does a transaction whole, or not at all', async () => {
    const key = `${uniquePrefix()}t`;
    const results = await redis
      .multi()
      .set(key, '5', { nx: true, px: 60_000 })
      .get(key)
      .incrby(key, 1)
      .hgetall(key)
      .exec({ keepErrors: true });
    expect(results).toMatchObject([
      { result: 'OK' },
      { result: '5' },
      { result: 6 },
      { error: expect.stringContaining('WRONGTYPE') },
    ]);
    for (const wrong of [['GET'], ['NOSUCH'], ['SUBSCRIBE', 'x']]) {
      const response = await post(upstash, '/multi-exec', JSON.stringify([['INCRBY', key, 1], wrong]));
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.stringContaining('EXECABORT') });
    }
    expect(await redis.get(key)).toBe('6');
  });

  it('lets nothing in between a transaction', async () => {
    const key = `${uniquePrefix()}race`;
    await redis.set(key, 0, { ex: 60 });
    const pairs = await Promise.all(
      Array.from({ length: 50 }, () => redis.multi().incrby(key, 1).incrby(key, 1).exec<[number, number]>()),
    );
    for (const [first, second] of pairs) expect([first % 2, second]).toEqual([1, first + 1]);
    expect(await redis.get(key)).toBe('100');
  });

  it('makes one winner of a race, whom all see', async () => {
    const key = `${uniquePrefix()}salt`;
    const seen = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const [, salt] = await redis
          .multi()
          .set(key, `salt ${i}`, { nx: true, px: 60_000 })
          .get<string>(key)
          .exec();
        return salt;
      }),
    );
    expect(new Set(seen).size).toBe(1);
  });

  it('ends keys', async () => {
    const key = `${uniquePrefix()}brief`;
    await redis.multi().set(key, 'x', { px: 60 }).hset(`${key}:h`, { a: 1 }).pexpire(`${key}:h`, 60).exec();
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    await expect.poll(() => redis.pttl(`${key}:h`)).toBe(-2);
    await expect.poll(() => redis.get(key)).toBeNull();
    expect(await redis.set(key, 'y', { nx: true, px: 60 })).toBe('OK');
  });

  it('refuses a wrong token', async () => {
    for (const authorization of ['Bearer x', upstash.token, '']) {
      const response = await post(upstash, '/', '["GET", "a"]', { authorization });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: 'WRONGPASS invalid or missing auth token' });
    }
  });

  it.each([
    ['/', '{'],
    ['/', '{}'],
    ['/', '[]'],
    ['/', '["GET", null]'],
    ['/', '["GET", ["a"]]'],
    ['/', new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d])],
    ['/pipeline', '[]'],
    ['/pipeline', '["GET", "a"]'],
    ['/multi-exec', '[[]]'],
  ])('refuses at %s the body %s', async (path, body) => {
    const response = await post(upstash, path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^ERR /) });
  });

  it('refuses other paths and bodies without end', async () => {
    expect((await post(upstash, '/get/a', '')).status).toBe(404);
    const large = await post(upstash, '/', JSON.stringify(['SET', 'a', 'x'.repeat(10 * 1024 * 1024)]));
    expect(large.status).toBe(413);
    expect(await redis.get(uniquePrefix())).toBeNull();
  });
});
