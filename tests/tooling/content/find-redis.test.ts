import { expect, test } from 'vitest';
import { findRedis } from '../../../tooling/content/find-redis.ts';

const running = { redis: { url: 'http://127.0.0.1:1', token: 'local' } };
const URL_SET = { UPSTASH_REDIS_REST_URL: 'https://r.example' };
const TOKEN_SET = { UPSTASH_REDIS_REST_TOKEN: 'secret' };

test('the environment comes before a running npm run dev', () => {
  expect(findRedis({ ...URL_SET, ...TOKEN_SET }, running)).toEqual({
    url: 'https://r.example',
    token: 'secret',
  });
  expect(findRedis({}, running)).toEqual(running.redis);
});

test.each([
  ['nothing', {}, undefined, 'Start npm run dev'],
  ['a npm run dev from before there were guides', {}, {}, 'Start npm run dev'],
  ['no token', URL_SET, running, 'UPSTASH_REDIS_REST_TOKEN is missing'],
  ['no address', TOKEN_SET, running, 'UPSTASH_REDIS_REST_URL is missing'],
])('%s: it says what to do', (_, env, found, advice) => {
  expect(() => findRedis(env, found)).toThrow(advice);
});
