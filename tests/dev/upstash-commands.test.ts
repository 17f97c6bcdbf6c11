import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upstash } from '../../tooling/upstash/start-upstash.ts';
import { post, uniquePrefix, variants } from './upstash-variants.ts';

const WRONG_TYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value';
const NOT_INTEGER = 'ERR value is not an integer or out of range';

type Step = [command: (string | number | boolean)[], expected: unknown];
const refused = (error: string) => ({ error });

/** Stories: commands in order, and what each answers. `@` stands for a prefix of the test's own. */
const STORIES: [story: string, steps: Step[]][] = [
  [
    'RENAME moves a value and its end over what was there',
    [
      [['HSET', '@a', 'f', '1'], 1],
      [['EXPIRE', '@a', 50], 1],
      [['SET', '@b', 'old'], 'OK'],
      [['RENAME', '@a', '@b'], 'OK'],
      [['EXISTS', '@a'], 0],
      [
        ['HGETALL', '@b'],
        ['f', '1'],
      ],
      [['TTL', '@b'], 50],
      [['RENAME', '@b', '@b'], 'OK'],
      [['RENAME', '@a', '@b'], refused('ERR no such key')],
      [['RENAME', '@b'], refused("ERR wrong number of arguments for 'rename' command")],
      [['DEL', '@b'], 1],
    ],
  ],
  [
    'strings are set and read',
    [
      [['GET', '@a'], null],
      [['set', '@a', 'é\0"🙂'], 'OK'],
      [['Get', '@a'], 'é\0"🙂'],
      [['STRLEN', '@a'], 8],
      [['APPEND', '@a', 'x'], 9],
      [['APPEND', '@new', 12], 2],
      [['GETSET', '@a', true], 'é\0"🙂x'],
      [['GETDEL', '@a'], 'true'],
      [['GETDEL', '@a'], null],
      [['MSET', '@m', 1, '@n', ''], 'OK'],
      [
        ['MGET', '@m', '@nothing', '@n'],
        ['1', null, ''],
      ],
      [['MSETNX', '@o', 1, '@m', 2], 0],
      [['MSETNX', '@o', 1, '@p', 2], 1],
      [['DEL', '@m', '@n', '@nothing'], 2],
      [['UNLINK', '@o', '@p', '@new'], 3],
      [['EXISTS', '@o', '@p'], 0],
    ],
  ],
  [
    'SET has conditions, and gives what was there',
    [
      [['SET', '@a', '1', 'XX'], null],
      [['SET', '@a', '1', 'NX', 'GET'], null],
      [['SET', '@a', '2', 'NX', 'GET'], '1'],
      [['SET', '@a', '2', 'NX'], null],
      [['SETNX', '@a', '2'], 0],
      [['SET', '@a', '3', 'xx', 'get', 'px', 50_000], '1'],
      [['TTL', '@a'], 50],
      [['SET', '@a', '4', 'KEEPTTL'], 'OK'],
      [['TTL', '@a'], 50],
      [['SET', '@a', '5'], 'OK'],
      [['TTL', '@a'], -1],
      [['SET', '@a', '6', 'NX', 'XX'], refused('ERR syntax error')],
      [['SET', '@a', '6', 'EX', 1, 'PX', 1], refused('ERR syntax error')],
      [['SET', '@a', '6', 'EX'], refused('ERR syntax error')],
      [['SET', '@a', '6', 'EX', 'soon'], refused(NOT_INTEGER)],
      [['SET', '@a', '6', 'EX', 0], refused("ERR invalid expire time in 'set' command")],
      [['SET', '@a', '6', 'NEVER'], refused('ERR syntax error')],
      [['GET', '@a'], '5'],
      [['DEL', '@a'], 1],
    ],
  ],
  [
    'numbers are counted',
    [
      [['INCR', '@n'], 1],
      [['INCRBY', '@n', 41], 42],
      [['DECR', '@n'], 41],
      [['DECRBY', '@n', -9], 50],
      [['INCRBY', '@n', '1.5'], refused(NOT_INTEGER)],
      [['INCRBY', '@n', '007'], refused(NOT_INTEGER)],
      [['INCRBYFLOAT', '@n', '0.25'], '50.25'],
      [['INCR', '@n'], refused(NOT_INTEGER)],
      [['INCRBYFLOAT', '@n', 'x'], refused('ERR value is not a valid float')],
      [['DEL', '@n'], 1],
    ],
  ],
  [
    'keys end',
    [
      [['TTL', '@k'], -2],
      [['EXPIRE', '@k', 10], 0],
      [['SET', '@k', 'v'], 'OK'],
      [['PTTL', '@k'], -1],
      [['EXPIRE', '@k', 10, 'XX'], 0],
      [['EXPIRE', '@k', 100, 'NX'], 1],
      [['PEXPIRE', '@k', 50_000, 'GT'], 0],
      [['PEXPIRE', '@k', 50_000, 'LT'], 1],
      [['TTL', '@k'], 50],
      [['EXPIRE', '@k', 10, 'MAYBE'], refused('ERR Unsupported option MAYBE')],
      [['GETEX', '@k', 'PERSIST'], 'v'],
      [['PERSIST', '@k'], 0],
      [['GETEX', '@k', 'EX', 100], 'v'],
      [['INCR', '@counter'], 1],
      [['EXPIRE', '@counter', 100], 1],
      [['INCR', '@counter'], 2],
      [['TTL', '@counter'], 100],
      [['PERSIST', '@counter'], 1],
      [['EXPIREAT', '@counter', 1], 1],
      [['EXISTS', '@counter'], 0],
      [['PEXPIREAT', '@k', 32_503_680_000_000], 1],
      [['SETEX', '@k', 100, 'w'], 'OK'],
      [['PSETEX', '@k', 0, 'w'], refused("ERR invalid expire time in 'psetex' command")],
      [['TTL', '@k'], 100],
      [['EXPIRE', '@k', -1], 1],
      [['GET', '@k'], null],
    ],
  ],
  [
    'hashes are flat lists to read',
    [
      [['HGETALL', '@h'], []],
      [['HSET', '@h', 'a', 1, 'b', 'é'], 2],
      [['HSET', '@h', 'a', 2, 'c', ''], 1],
      [
        ['HGETALL', '@h'],
        ['a', '2', 'b', 'é', 'c', ''],
      ],
      [['HGET', '@h', 'b'], 'é'],
      [['HGET', '@h', 'z'], null],
      [
        ['HMGET', '@h', 'a', 'z'],
        ['2', null],
      ],
      [['HSETNX', '@h', 'a', 9], 0],
      [['HSETNX', '@h', 'd', 9], 1],
      [['HINCRBY', '@h', 'd', -10], -1],
      [['HINCRBY', '@h', 'b', 1], refused('ERR hash value is not an integer')],
      [
        ['HKEYS', '@h'],
        ['a', 'b', 'c', 'd'],
      ],
      [
        ['HVALS', '@h'],
        ['2', 'é', '', '-1'],
      ],
      [['HLEN', '@h'], 4],
      [['HEXISTS', '@h', 'c'], 1],
      [['HSET', '@h', 'a'], refused("ERR wrong number of arguments for 'hset' command")],
      [['HDEL', '@h', 'a', 'b', 'c', 'd', 'e'], 4],
      [['TYPE', '@h'], 'none'],
    ],
  ],
  [
    'sets have members',
    [
      [['SADD', '@s', 'a', 'a', 'b'], 2],
      [['SISMEMBER', '@s', 'a'], 1],
      [
        ['SMISMEMBER', '@s', 'a', 'z'],
        [1, 0],
      ],
      [['SCARD', '@s'], 2],
      [['TYPE', '@s'], 'set'],
      [['SREM', '@s', 'a', 'z'], 1],
      [['SMEMBERS', '@s'], ['b']],
      [['SREM', '@s', 'b'], 1],
      [['EXISTS', '@s'], 0],
    ],
  ],
  [
    'a key holds one kind',
    [
      [['SET', '@x', 'v'], 'OK'],
      [['HSET', '@x', 'a', 1], refused(WRONG_TYPE)],
      [['SADD', '@x', 'a'], refused(WRONG_TYPE)],
      [['HSET', '@y', 'a', 1], 1],
      [['GET', '@y'], refused(WRONG_TYPE)],
      [['INCR', '@y'], refused(WRONG_TYPE)],
      [['SET', '@y', 'v', 'GET'], refused(WRONG_TYPE)],
      [
        ['MGET', '@x', '@y'],
        ['v', null],
      ],
      [['SET', '@y', 'v'], 'OK'],
      [['DEL', '@x', '@y'], 2],
    ],
  ],
  [
    'what a connection would need is refused',
    [
      [['SUBSCRIBE', '@c'], refused("ERR Command is not available: 'SUBSCRIBE'")],
      [['blpop', '@c', 0], refused("ERR Command is not available: 'blpop'")],
      [['MULTI'], refused("ERR Command is not available: 'MULTI'")],
      [['GET'], refused("ERR wrong number of arguments for 'get' command")],
      [
        ['NOSUCH', '@a'],
        refused(expect.stringContaining("ERR unknown command 'NOSUCH'") as unknown as string),
      ],
      [['PING'], 'PONG'],
      [['PING', 'hé'], 'hé'],
      [['ECHO', ''], ''],
    ],
  ],
];

describe.each(variants)('commands over the $name Redis', (variant) => {
  let upstash: Upstash;
  beforeAll(async () => {
    upstash = await variant.start();
  });
  afterAll(() => upstash.close());

  it.each(STORIES)('%s', async (_story, steps) => {
    const prefix = uniquePrefix();
    for (const [command, expected] of steps) {
      const words = command.map((word) => (typeof word === 'string' ? word.replace(/^@/, prefix) : word));
      const response = await post(upstash, '/', JSON.stringify(words));
      const answer: unknown = await response.json();
      const isRefused = expected !== null && typeof expected === 'object' && 'error' in expected;
      expect([command, answer]).toEqual([command, isRefused ? expected : { result: expected }]);
      expect(response.status).toBe(isRefused ? 400 : 200);
    }
  });

  it('finds keys by pattern', async () => {
    const prefix = uniquePrefix();
    const names = ['a1', 'a2', 'b1', 'a*', 'a-', 'a]', 'a^'];
    await post(
      upstash,
      '/pipeline',
      JSON.stringify(names.map((name) => ['SET', prefix + name, 'v', 'EX', 60])),
    );
    const found = async (pattern: string) => {
      const keys: string[] = [];
      let cursor = '0';
      do {
        const response = await post(
          upstash,
          '/',
          JSON.stringify(['SCAN', cursor, 'MATCH', prefix + pattern, 'COUNT', 1000]),
        );
        const { result } = (await response.json()) as { result: [string, string[]] };
        keys.push(...result[1].map((key) => key.slice(prefix.length)));
        cursor = result[0];
      } while (cursor !== '0');
      return keys.sort();
    };
    expect(await found('*')).toEqual([...names].sort());
    expect(await found('a?')).toEqual(['a*', 'a-', 'a1', 'a2', 'a]', 'a^']);
    expect(await found('*[1-9]')).toEqual(['a1', 'a2', 'b1']);
    expect(await found('a[^0-9]')).toEqual(['a*', 'a-', 'a]', 'a^']);
    expect(await found('a\\*')).toEqual(['a*']);
    expect(await found('a[\\]^]')).toEqual(['a]', 'a^']);
    expect(await found('**1*')).toEqual(['a1', 'b1']);
    expect(await found('a')).toEqual([]);
  });
});
