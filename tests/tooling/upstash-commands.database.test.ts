import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startUpstash, type Upstash } from '../../tooling/upstash/start-upstash.ts';
import { post, uniquePrefix, variants } from './upstash-variants.ts';

const WRONG_TYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value';
const NOT_INTEGER = 'ERR value is not an integer or out of range';

type Step = [command: (string | number | boolean)[], expected: unknown];
const refused = (error: string) => ({ error });

/** Sequences of commands with the answer to each. `@` stands for the test's own prefix. */
const STORIES: [story: string, steps: Step[]][] = [
  [
    'RENAME moves a value and its end over what was there',
    [
      [['HSET', '@a', 'f', '1'], 1],
      [['EXPIRE', '@a', 50], 1],
      [['SET', '@b', 'old'], 'OK'],
      [['RENAME', '@a', '@b'], 'OK'],
      [['TTL', '@a'], -2],
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
      [['SET', '@b', 12], 'OK'],
      [['GET', '@b'], '12'],
      [['SET', '@c', true], 'OK'],
      [['GET', '@c'], 'true'],
      [['DEL', '@a', '@b', '@nothing'], 2],
      [['DEL', '@c'], 1],
      [['GET', '@a'], null],
    ],
  ],
  [
    'SET has a condition and an end',
    [
      [['SET', '@a', '1', 'nx', 'px', 50_000], 'OK'],
      [['TTL', '@a'], 50],
      [['SET', '@a', '2', 'EX', 100, 'NX'], null],
      [['TTL', '@a'], 50],
      [['SET', '@a', '5'], 'OK'],
      [['TTL', '@a'], -1],
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
      [['INCRBY', '@n', 41], 41],
      [['INCRBY', '@n', -9], 32],
      [['INCRBY', '@n', '1.5'], refused(NOT_INTEGER)],
      [['INCRBY', '@n', '007'], refused(NOT_INTEGER)],
      [['GET', '@n'], '32'],
      [['SET', '@n', '1.5'], 'OK'],
      [['INCRBY', '@n', 1], refused(NOT_INTEGER)],
      [['DEL', '@n'], 1],
    ],
  ],
  [
    'keys end',
    [
      [['TTL', '@k'], -2],
      [['PTTL', '@k'], -2],
      [['EXPIRE', '@k', 10], 0],
      [['PERSIST', '@k'], 0],
      [['SET', '@k', 'v'], 'OK'],
      [['PTTL', '@k'], -1],
      [['PEXPIRE', '@k', 50_000], 1],
      [['TTL', '@k'], 50],
      [['EXPIRE', '@k', 'soon'], refused(NOT_INTEGER)],
      [['PERSIST', '@k'], 1],
      [['PERSIST', '@k'], 0],
      [['INCRBY', '@counter', 1], 1],
      [['EXPIRE', '@counter', 100], 1],
      [['INCRBY', '@counter', 1], 2],
      [['TTL', '@counter'], 100],
      [['PEXPIRE', '@counter', 0], 1],
      [['GET', '@counter'], null],
      [['EXPIRE', '@k', -1], 1],
      [['GET', '@k'], null],
    ],
  ],
  [
    'hashes are flat lists to read',
    [
      [['HGETALL', '@h'], []],
      [['HLEN', '@h'], 0],
      [['HKEYS', '@h'], []],
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
      [['HLEN', '@h'], 3],
      [
        ['HKEYS', '@h'],
        ['a', 'b', 'c'],
      ],
      [['HSET', '@h', 'a'], refused("ERR wrong number of arguments for 'hset' command")],
      [['HSET', '@h', 'a', 1, 'b'], refused("ERR wrong number of arguments for 'hset' command")],
      [['HDEL', '@h', 'a', 'b', 'c', 'd'], 3],
      [['TTL', '@h'], -2],
    ],
  ],
  [
    'a key holds one kind',
    [
      [['SET', '@x', 'v'], 'OK'],
      [['HSET', '@x', 'a', 1], refused(WRONG_TYPE)],
      [['HMGET', '@x', 'a'], refused(WRONG_TYPE)],
      [['HSET', '@y', 'a', 1], 1],
      [['GET', '@y'], refused(WRONG_TYPE)],
      [['INCRBY', '@y', 1], refused(WRONG_TYPE)],
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

  it('finds keys by their beginning', async () => {
    const prefix = uniquePrefix();
    for (const name of ['a1', 'a2', 'b1', 'A1']) {
      await post(upstash, '/', JSON.stringify(['SET', prefix + name, 'v', 'EX', 60]));
    }
    const found = async (beginning: string) => {
      const keys: string[] = [];
      let cursor = '0';
      do {
        const response = await post(
          upstash,
          '/',
          JSON.stringify(['SCAN', cursor, 'MATCH', `${prefix}${beginning}*`, 'COUNT', 1000]),
        );
        const { result } = (await response.json()) as { result: [string, string[]] };
        keys.push(...result[1].map((key) => key.slice(prefix.length)));
        cursor = result[0];
      } while (cursor !== '0');
      return keys.sort();
    };
    expect(await found('')).toEqual(['A1', 'a1', 'a2', 'b1']);
    expect(await found('a')).toEqual(['a1', 'a2']);
    expect(await found('c')).toEqual([]);
  });
});

test('the embedded Redis refuses a pattern that it does not know', async () => {
  const upstash = await startUpstash({ redis: 'memory' });
  try {
    for (const options of [
      ['MATCH', 'a?*', 'COUNT', 1],
      ['MATCH', 'a', 'COUNT', 1],
      ['COUNT', 1, 'MATCH', 'a*'],
    ]) {
      const response = await post(upstash, '/', JSON.stringify(['SCAN', 0, ...options]));
      expect(response.status).toBe(400);
    }
  } finally {
    await upstash.close();
  }
});
