/** Setup gives each function a token of Redis with its own keys, or says that it couldn't. */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { makePlan } from '../../../scripts/deploy/make-plan.ts';
import { secretsOf } from '../../../scripts/setup/function-secrets.ts';
import type { SetupRun } from '../../../scripts/setup/step.ts';
import { dropOldTokens, partRedis } from '../../../scripts/setup/steps/part-redis.ts';
import { drawAnew } from '../../../scripts/setup/steps/rotate-secrets.ts';
import { readSetupFile } from '../../../tooling/setup-file.ts';
import { startUpstash, type Upstash } from '../../../tooling/upstash/start-upstash.ts';
import { startAclRedis } from './acl-redis.ts';

const { TEST_REDIS_URL } = process.env;

let redis: Upstash | undefined;
afterEach(async () => {
  await redis?.close();
  redis = undefined;
});

async function runOn({ url, token }: Upstash, more: Record<string, string> = {}) {
  const file = await readSetupFile('/nothing-is-here');
  file.answers = {
    ...{ UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token, SALT_REDIS_REST_URL: 'none' },
    ...more,
  };
  const address = { host: undefined, url: 'https://stats.example.org' };
  const deployment = await makePlan({ main: address, content: address });
  const notes: string[] = [];
  const run = { file, deployment, notes, save: async () => {}, tell: () => {} } as unknown as SetupRun;
  await partRedis.run(run);
  const secrets = (fn: string) => {
    const step = deployment.steps.find((one) => one.fn === fn);
    return secretsOf({ fn, names: [...(step?.secrets ?? []), ...(step?.optional ?? [])], file });
  };
  return { run, file, notes, secrets };
}

async function ask(url: string, token: string | undefined, ...command: string[]) {
  const response = await fetch(url, {
    ...{ method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: JSON.stringify(command) },
  });
  return (await response.json()) as { result?: unknown; error?: string };
}

const SALT_NOTE = /can read the day's salt.*SALT_REDIS_REST_URL/;

test('a Redis without users: the end says that the salt isn’t parted, and how to part it', async () => {
  redis = await startUpstash({ redis: 'memory' });
  const { notes, file, secrets } = await runOn(redis);
  expect(notes).toEqual([expect.stringMatching(SALT_NOTE)]);
  expect(file.redis?.tokens).toEqual({});
  expect(secrets('sites').UPSTASH_REDIS_REST_TOKEN).toBe(redis.token);
  expect(secrets('track')).not.toHaveProperty('SALT_REDIS_REST_TOKEN');
});

test('a Redis without users, and a second one for the salt', async () => {
  redis = await startUpstash({ redis: 'memory' });
  const salt = { SALT_REDIS_REST_URL: 'https://salt.example.org', SALT_REDIS_REST_TOKEN: 'a-token' };
  const { notes, secrets } = await runOn(redis, salt);
  expect(notes).toEqual([
    expect.stringContaining('every function has the same token. The salt is in the second Redis'),
  ]);
  expect(secrets('track')).toMatchObject(salt);
});

describe.skipIf(!TEST_REDIS_URL)('a Redis with users', () => {
  test('each function has its own token, and only track and ingest open the salt', async () => {
    redis = await startAclRedis(TEST_REDIS_URL ?? '');
    const { url, token } = redis;
    const { run, notes, file, secrets } = await runOn(redis);
    try {
      expect(notes).toEqual([]);
      const tokens = ['sites', 'account', 'content', 'track', 'ingest'].map(
        (fn) => secrets(fn).UPSTASH_REDIS_REST_TOKEN,
      );
      expect(new Set([...tokens, token]).size).toBe(6);
      for (const fn of ['track', 'ingest'])
        expect(secrets(fn)).toMatchObject({
          SALT_REDIS_REST_URL: url,
          SALT_REDIS_REST_TOKEN: secrets(fn).UPSTASH_REDIS_REST_TOKEN,
        });
      const [sites, account, , track] = tokens;
      expect(await ask(url, track, 'GET', 'salt:2026-01-01')).toEqual({ result: null });
      for (const other of [sites, account])
        expect((await ask(url, other, 'GET', 'salt:2026-01-01')).error).toMatch(/NOPERM/);
      const count = ['EVAL', "return redis.call('GET', KEYS[1])", '1', 'limit:sites:nobody'];
      expect(await ask(url, sites, ...count)).toEqual({ result: null });
      expect(await ask(url, account, 'EXISTS', 'used-code:x')).toEqual({ result: 0 });
      expect((await ask(url, sites, 'EXISTS', 'used-code:x')).error).toMatch(/NOPERM/);
      expect((await ask(url, sites, 'KEYS', '*')).error).toMatch(/NOPERM/);
      expect((await ask(url, sites, 'ACL', 'LIST')).error).toMatch(/NOPERM/);
      const before = { ...file.redis?.tokens };
      await partRedis.run(run);
      expect(file.redis?.tokens).toEqual(before);
    } finally {
      for (const fn of Object.keys(file.redis?.tokens ?? {}))
        await ask(url, token, 'ACL', 'DELUSER', `vendor_${fn}`);
    }
  });

  test('tokens are drawn anew: both work until the functions have the new ones', async () => {
    redis = await startAclRedis(TEST_REDIS_URL ?? '');
    const { url, token } = redis;
    const { run, file, secrets } = await runOn(redis);
    /** Whether the user of `sites` signs in with each of these. */
    const signIn = async (...passwords: (string | undefined)[]) => {
      const { result } = await ask(url, token, 'ACL', 'GETUSER', 'vendor_sites');
      return passwords.map((password = '') =>
        JSON.stringify(result).includes(createHash('sha256').update(password).digest('hex')),
      );
    };
    try {
      const old = secrets('sites').UPSTASH_REDIS_REST_TOKEN;
      await drawAnew.run({
        ...run,
        options: { rotate: ['UPSTASH_REDIS_REST_TOKEN'] },
      } as unknown as SetupRun);
      await partRedis.run(run);
      const renewed = secrets('sites').UPSTASH_REDIS_REST_TOKEN;
      expect(renewed).not.toBe(old);
      expect(await signIn(old, renewed)).toEqual([true, true]);
      await dropOldTokens(run);
      expect(await signIn(old, renewed)).toEqual([false, true]);
    } finally {
      for (const fn of Object.keys(file.redis?.tokens ?? {}))
        await ask(url, token, 'ACL', 'DELUSER', `vendor_${fn}`);
    }
  });

  test('with a second Redis for the salt, no token of the first one opens it', async () => {
    redis = await startAclRedis(TEST_REDIS_URL ?? '');
    const { url, token } = redis;
    const salt = { SALT_REDIS_REST_URL: 'https://salt.example.org', SALT_REDIS_REST_TOKEN: 'a-token' };
    const { notes, file, secrets } = await runOn(redis, salt);
    try {
      expect(notes).toEqual([]);
      expect(secrets('track')).toMatchObject(salt);
      expect((await ask(url, secrets('track').UPSTASH_REDIS_REST_TOKEN, 'GET', 'salt:x')).error).toMatch(
        /NOPERM/,
      );
    } finally {
      for (const fn of Object.keys(file.redis?.tokens ?? {}))
        await ask(url, token, 'ACL', 'DELUSER', `vendor_${fn}`);
    }
  });
});
