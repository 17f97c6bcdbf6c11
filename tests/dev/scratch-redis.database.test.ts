import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchRedis, type ScratchRedis } from '../../dev/scratch-redis.ts';
import { startUpstash, type Upstash } from '../../tooling/upstash/start-upstash.ts';
import { connect, realUrl } from '../tooling/upstash-variants.ts';

const KEY = 'content:guides';

describe.skipIf(realUrl === undefined)('two scratch Redis on one server', () => {
  let scratches: ScratchRedis[];
  let endpoints: Upstash[];
  beforeAll(async () => {
    scratches = [createScratchRedis(realUrl ?? ''), createScratchRedis(realUrl ?? '')];
    endpoints = await Promise.all(scratches.map((redis) => startUpstash({ redis })));
  });
  afterAll(async () => {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await Promise.all(scratches.map((scratch) => scratch.drop()));
  });

  it('keep what one of them stages and renames from the other', async () => {
    const [one, other] = endpoints.map(connect);
    await one?.multi().hset('staged', { head: '1' }).rename('staged', KEY).exec();
    expect(await one?.hget(KEY, 'head')).toBe('1');
    expect(await other?.hget(KEY, 'head')).toBeNull();
  });

  it('give scripts keys of their own', async () => {
    const [one, other] = endpoints.map(connect);
    await one?.eval("return redis.call('SET', KEYS[1], ARGV[1])", ['scripted'], ['1']);
    expect(await one?.get('scripted')).toBe('1');
    expect(await other?.get('scripted')).toBeNull();
  });

  it('drop their own keys and no others', async () => {
    const [one, other] = endpoints.map(connect);
    await Promise.all([one?.set('kept', '1'), other?.set('kept', '2')]);
    await scratches[0]?.drop();
    expect(await one?.get('kept')).toBeNull();
    expect(await other?.get('kept')).toBe('2');
  });
});
