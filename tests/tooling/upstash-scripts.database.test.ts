import type { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upstash } from '../../tooling/upstash/start-upstash.ts';
import { scriptHash } from '../../tooling/upstash/upstash-script.ts';
import { connect, post, uniquePrefix, variants } from './upstash-variants.ts';

const RESULTS: [script: string, expected: unknown][] = [
  ["return {1, 2.9, -2.9, 'x', true, false, 5}", [1, 2, -2, 'x', 1, null, 5]],
  ['return {1, nil, 3}', [1]],
  ['return nil', null],
  ['return 3000000000', 3_000_000_000],
  ["return {ok = 'FINE'}", 'FINE'],
  ["return #'é'", 2],
  ["return '\\255\\0' == string.char(255, 0)", 1],
  ['return ARGV[1] * 2 + 1', 4_000_000_001],
  ['return tonumber(ARGV[1]) + tonumber(ARGV[1])', 4_000_000_000],
  ['return math.floor(ARGV[1] % 7 / 3)', 1],
  ["return redis.call('GET', KEYS[1]) == false", 1],
  ["return redis.call('SET', KEYS[1], 1.5, 'PX', 60000)['ok']", 'OK'],
  ["return redis.call('GET', KEYS[1])", '1.5'],
  [
    "redis.call('SET', KEYS[1], 2000000000) return redis.call('INCRBY', KEYS[1], 2000000000) + 1",
    4_000_000_001,
  ],
  [
    "redis.call('DEL', KEYS[1]) redis.call('HSET', KEYS[1], 'a', 1) return redis.call('HGETALL', KEYS[1])",
    ['a', '1'],
  ],
  ["return redis.call('DEL', KEYS[1])", 1],
];

const FAILURES: [script: string, error: RegExp][] = [
  ["return {err = 'MY error'}", /^MY error/],
  ["error('boom')", /^ERR user_script:1: boom/],
  ["return redis.call('INCRBY', KEYS[1], 'x')", /^ERR value is not an integer or out of range/],
  ["return redis.call('NOSUCH')", /^ERR /],
  ["return redis.call('GET')", /^ERR /],
  ['return redis.call()', /^ERR /],
  ['return redis.call({})', /^ERR /],
  ['this is not Lua', /^ERR Error compiling script \(new function\): user_script:1:/],
  ['#!python\nreturn 1', /^ERR Unexpected engine in script shebang/],
];

describe.each(variants)('scripts over the $name Redis', (variant) => {
  let upstash: Upstash;
  let redis: Redis;
  beforeAll(async () => {
    upstash = await variant.start();
    redis = connect(upstash);
  });
  afterAll(() => upstash.close());

  it('converts what scripts take and give', async () => {
    const key = `${uniquePrefix()}k`;
    for (const [script, expected] of RESULTS) {
      const result = await redis.eval(script, [key], ['2000000000', 'é']);
      expect([script, result]).toEqual([script, expected]);
    }
  });

  it.each(FAILURES)('reports the error of %s', async (script, error) => {
    const response = await post(upstash, '/', JSON.stringify(['EVAL', script, 1, `${uniquePrefix()}k`]));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(error) });
  });

  it('finds a script by its hash once it was sent, whatever its first line', async () => {
    const unique = uniquePrefix();
    for (const shebang of [
      '',
      '#!lua\n',
      '#!lua flags=allow-key-locking\n',
      '#!lua flags=no-writes,allow-key-locking\n',
    ]) {
      const script = `${shebang}return {KEYS[1], ARGV[1], '${unique}'}`;
      const hash = scriptHash(script);
      await expect(redis.evalsha(hash, ['k'], ['a'])).rejects.toThrow('NOSCRIPT');
      expect(await redis.eval(script, ['k'], ['a'])).toEqual(['k', 'a', unique]);
      expect(await redis.evalsha(hash, ['k'], ['b'])).toEqual(['k', 'b', unique]);
      expect(await redis.evalsha(hash.toUpperCase(), [], ['b'])).toEqual([]);
    }
  });

  it('keeps what a script did before its error', async () => {
    const key = `${uniquePrefix()}half`;
    await expect(
      redis.eval("redis.call('SET', KEYS[1], 'x', 'EX', 60) error('later')", [key], []),
    ).rejects.toThrow('later');
    expect(await redis.get(key)).toBe('x');
  });

  it('runs scripts in pipelines and transactions', async () => {
    const key = `${uniquePrefix()}n`;
    const script =
      "redis.call('INCRBY', KEYS[1], ARGV[1]) redis.call('EXPIRE', KEYS[1], 60) return redis.call('GET', KEYS[1])";
    expect(await redis.pipeline().eval(script, [key], [2]).eval(script, [key], [3]).exec()).toEqual([
      '2',
      '5',
    ]);
    expect(await redis.multi().eval(script, [key], [2]).incrby(key, 1).exec()).toEqual(['7', 8]);
  });
});

describe('scripts over the embedded Redis alone', () => {
  it('ends a script that never would', async () => {
    const [embedded] = variants;
    const upstash = await embedded?.start();
    if (upstash === undefined) throw new Error('no embedded variant');
    try {
      const redis = connect(upstash);
      await expect(redis.eval('while true do end', [], [])).rejects.toThrow('without end');
      expect(await redis.eval('return 1', [], [])).toBe(1);
    } finally {
      await upstash.close();
    }
  });
});
