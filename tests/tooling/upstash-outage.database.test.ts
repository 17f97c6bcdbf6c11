import type { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUpstash, type Upstash } from '../../tooling/upstash/start-upstash.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { connect, post, realUrl, uniquePrefix } from './upstash-variants.ts';

/** Less than the second that our callers wait (lib/redis.ts), and more than a busy machine needs. */
const QUICK_MS = 950;

describe.skipIf(realUrl === undefined)('a real Redis that comes and goes', () => {
  let proxy: TcpProxy;
  let upstash: Upstash;
  let redis: Redis;
  beforeAll(async () => {
    const url = new URL(realUrl ?? '');
    proxy = await startTcpProxy(url.hostname, Number(url.port || 6379));
    url.host = `127.0.0.1:${proxy.port}`;
    upstash = await startUpstash({ redis: { url: url.href } });
    redis = connect(upstash);
  });
  afterAll(async () => {
    await upstash.close();
    await proxy.stop();
  });

  it('is a quick 503 while it is away, and answers once it is back', async () => {
    const key = `${uniquePrefix()}n`;
    expect(await redis.multi().incr(key).expire(key, 60).exec()).toEqual([1, 1]);
    await proxy.stop();

    const start = performance.now();
    for (const [path, body] of [
      ['/', ['INCR', key]],
      ['/pipeline', [['INCR', key]]],
      ['/multi-exec', [['INCR', key]]],
    ] as const) {
      const response = await post(upstash, path, JSON.stringify(body));
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({ error: expect.stringContaining('out of reach') });
    }
    await expect(redis.get(key)).rejects.toMatchObject({ name: 'UpstashError' });
    expect(performance.now() - start).toBeLessThan(QUICK_MS);

    await proxy.start();
    await expect.poll(() => redis.get(key).catch(() => 'away'), { timeout: 5000 }).toBe('1');
    expect(await redis.incr(key)).toBe(2);
  });

  it('is a quick 503 when it does not answer', async () => {
    proxy.freeze();
    const start = performance.now();
    expect((await post(upstash, '/', '["PING"]')).status).toBe(503);
    expect(performance.now() - start).toBeLessThan(2 * QUICK_MS);
    proxy.thaw();
    await expect.poll(() => redis.ping().catch(() => 'away'), { timeout: 5000 }).toBe('PONG');
  });

  it('does not start without a Redis', async () => {
    await proxy.stop();
    await expect(startUpstash({ redis: { url: `redis://127.0.0.1:${proxy.port}` } })).rejects.toThrow();
  });
});
