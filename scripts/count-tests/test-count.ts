/** The used fields of the JSON that vitest writes. */
export interface TestReport {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

export interface TestCount {
  passed: number;
  /** Failed tests, and test files that failed before their tests ran. */
  failed: number;
  /** Names of tests that did not run. */
  skipped: string[];
}

export function countTests({ testResults }: TestReport): TestCount {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = tests.filter(({ status }) => status === 'failed').length + broken.length;
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed,
    skipped: skipped.map(({ fullName }) => fullName),
  };
}
