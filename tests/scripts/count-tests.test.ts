import { expect, test } from 'vitest';
import { countTests } from '../../scripts/count-tests/test-count.ts';

const file = (status: string, ...statuses: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: statuses.map((each, index) => ({ fullName: `${each} ${index}`, status: each })),
});

test.each([
  ['nothing', [], { passed: 0, failed: 0, skipped: [] }],
  ['passes', [file('passed', 'passed', 'passed')], { passed: 2, failed: 0, skipped: [] }],
  ['failures', [file('failed', 'passed', 'failed')], { passed: 1, failed: 1, skipped: [] }],
  ['a file that broke by itself', [file('failed')], { passed: 0, failed: 1, skipped: [] }],
  ['a hook that failed', [file('failed', 'skipped')], { passed: 0, failed: 1, skipped: ['skipped 0'] }],
  [
    'tests that did not run',
    [file('passed', 'passed', 'pending', 'skipped', 'todo')],
    { passed: 1, failed: 0, skipped: ['pending 1', 'skipped 2', 'todo 3'] },
  ],
])('%s', (_, testResults, expected) => {
  expect(countTests({ success: true, testResults })).toEqual(expected);
});
