import { expect, test } from 'vitest';
import { readCommandLine, UsageError } from '../../tooling/run-command.ts';
import { withAnswers } from '../../tooling/setup-file.ts';

test.each([
  [['list'], ['list'], undefined],
  [['--state', 'other.json', 'list', '--late'], ['list', '--late'], 'other.json'],
  [['list', '--state=other.json'], ['list'], 'other.json'],
])('%j has the arguments %j and the file %s', (argv, args, state) => {
  expect(readCommandLine(argv)).toEqual({ args, state });
});

test.each([[['--state']], [['--state=']]])('%j lacks a file', (argv) => {
  expect(() => readCommandLine(argv)).toThrow(UsageError);
});

test('`none` is no value, of an answer or of the environment', () => {
  const answers = { MAIL_URL: 'none', VENDOR_HOST: 'stats.example.org' };
  expect(withAnswers({ CONTENT_HOST: 'none', DATABASE_URL: '' }, { answers, addresses: undefined })).toEqual({
    VENDOR_HOST: 'stats.example.org',
  });
});
