/**
 * `node scripts/count-tests.ts <vitest's JSON>`: prints `<n> passed, <n> failed` as the last line. Ends with 1 if a test failed, was
 * skipped or is only planned, or if there were no tests.
 */
import { readFile } from 'node:fs/promises';
import { countTests, type TestReport } from './count-tests/test-count.ts';

const report = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as TestReport;
const { passed, failed, skipped } = countTests(report);
for (const name of skipped) console.log(`skipped: ${name}`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || skipped.length > 0 || passed === 0 || !report.success) process.exitCode = 1;
