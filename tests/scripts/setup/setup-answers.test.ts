/** Answers of `npm run setup`: by flags, the environment, a file, an earlier run, and at a terminal. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectAnswers } from '../../../scripts/setup/collect-answers.ts';
import { QUESTIONS } from '../../../scripts/setup/questions.ts';
import { readSetupOptions } from '../../../scripts/setup/setup-options.ts';
import { readSetupFile, withAnswers, writeSetupFile } from '../../../tooling/setup-file.ts';
import { textOf } from '../../docs/doc-examples.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-answers-'));
});
afterAll(() => rm(folder, { recursive: true }));

const ALL: Record<string, string> = {
  DATABASE_URL: 'postgres://owner:secret@db.example.org/vendor',
  UPSTASH_REDIS_REST_URL: 'https://redis.example.org',
  UPSTASH_REDIS_REST_TOKEN: 'a-token-of-redis',
  ACCOUNT_EMAIL: 'ada@example.org',
};
const collect = (sources: Partial<Parameters<typeof collectAnswers>[0]>) =>
  collectAnswers({ given: {}, kept: {}, ask: undefined, tell: () => {}, ...sources });

test('flags go before the environment, and the environment before the file', async () => {
  const path = join(folder, 'answers.env');
  await writeFile(
    path,
    '# a comment\nVENDOR_HOST=file.example.org\nCONTENT_HOST=file.example.org\nMAIL_URL=none\n',
  );
  const { given } = await readSetupOptions(['--answers', path, '--vendor-host', 'flag.example.org'], {
    VENDOR_HOST: 'env.example.org',
    CONTENT_HOST: 'env.example.org',
  });
  expect(given).toEqual({
    VENDOR_HOST: 'flag.example.org',
    CONTENT_HOST: 'env.example.org',
    MAIL_URL: 'none',
  });
});

test('the file of docs/deploy.md is whole', async () => {
  const path = join(folder, 'documented.env');
  await writeFile(path, textOf('docs/deploy.md: # answers.env'));
  const { given } = await readSetupOptions(['--answers', path], {});
  expect(await collect({ given })).toMatchObject({ VENDOR_HOST: 'stats.example.org', MAIL_URL: 'none' });
});

test('an unknown flag, an unknown line and a missing file are named', async () => {
  const path = join(folder, 'wrong.env');
  await writeFile(path, 'VENDOR_HSOT=x\n');
  await expect(readSetupOptions(['--answers', path], {})).rejects.toThrow('VENDOR_HSOT');
  await expect(readSetupOptions(['--anwsers', path], {})).rejects.toThrow('--anwsers');
  await expect(readSetupOptions(['--answers', join(folder, 'none')], {})).rejects.toThrow("can't be read");
});

test('without a terminal what may be left out is left out, and the rest is named', async () => {
  expect(await collect({ given: ALL })).toMatchObject({ ...ALL, MAIL_URL: 'none', VENDOR_HOST: 'none' });
  const { DATABASE_URL: _, ...some } = ALL;
  await expect(collect({ given: some })).rejects.toThrow('DATABASE_URL');
  await expect(collect({ given: { ...ALL, DATABASE_URL: 'none' } })).rejects.toThrow('can’t be left out');
});

test.each([
  ['DATABASE_URL', 'mysql://x'],
  ['UPSTASH_REDIS_REST_URL', 'http://redis.example.org'],
  ['UPSTASH_REDIS_REST_TOKEN', 'with a space'],
  ['VENDOR_HOST', 'https://stats.example.org'],
  ['VENDOR_HOST', 'localhost'],
  ['ACCOUNT_EMAIL', 'ada'],
])('%s is not %s', async (name, answer) => {
  await expect(collect({ given: { ...ALL, [name]: answer } })).rejects.toThrow(name);
});

test('at a terminal each question is asked until its answer can be right, and secrets are hidden', async () => {
  const asked: [question: string, secret: boolean | undefined][] = [];
  const typed = [
    'nothing',
    'postgres://o:p@db.example.org/v',
    'https://r.example.org',
    'a-token-of-redis',
    '',
    '',
    '',
    '',
    'ada@example.org',
  ];
  const answers = await collect({
    ask: async (question, secret) => {
      asked.push([question, secret]);
      return typed.shift() ?? '';
    },
  });
  expect(typed).toEqual([]);
  expect(answers).toMatchObject({ DATABASE_URL: 'postgres://o:p@db.example.org/v', MAIL_URL: 'none' });
  expect(asked.filter(([, secret]) => secret)).toHaveLength(3);
  expect(asked.map(([question]) => question)).not.toContain(
    QUESTIONS.find(({ name }) => name === 'MAIL_TOKEN')?.ask,
  );
});

test('the file is its owner’s alone, survives a damaged write, and serves other commands', async () => {
  const path = join(folder, 'kept', 'setup.json');
  expect((await readSetupFile(path)).answers).toEqual({});
  await writeSetupFile(
    { ...(await readSetupFile(path)), answers: { VENDOR_HOST: 'a.example.org', MAIL_URL: 'none' } },
    path,
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const kept = await readSetupFile(path);
  expect(withAnswers({ VENDOR_HOST: '', DATABASE_URL: 'x' }, kept)).toEqual({
    VENDOR_HOST: 'a.example.org',
    DATABASE_URL: 'x',
  });
  await writeFile(path, '{');
  await expect(readSetupFile(path)).rejects.toThrow('damaged');
});
