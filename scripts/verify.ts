/** `npm run verify`: checks format, lint, types, generated files and unused code. Fast, and needs no service. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { generators } from './generate/generators.ts';

interface Check {
  name: string;
  command: string;
  args: string[];
  /** Its output is printed also if it passes. */
  tells?: true;
}

const checks: Check[] = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings'] },
  checkTypes('types', '.'),
  checkTypes('types of the tracker', 'packages/tracker'),
  checkTypes('types of the SDK', 'packages/sdk-node'),
  { name: 'unused code', command: 'knip', args: ['--cache'] },
  { name: 'migrations, lines and functions of SQL', command: 'node', args: ['scripts/check-sql.ts'] },
  { name: 'names of files', command: 'node', args: ['scripts/check-names.ts'] },
  { name: 'tools of agents', command: 'node', args: ['scripts/check-tools.ts'], tells: true },
  { name: 'documents', command: 'node', args: ['scripts/check-docs.ts'] },
  { name: 'plain words', command: 'node', args: ['scripts/check-words.ts'] },
  ...generators
    .filter((script) => existsSync(join(ROOT, script)))
    .map((script) => ({ name: `${script} --check`, command: 'node', args: [script, '--check'] })),
];

/** What hasn't changed since the last run isn't checked again: the compiler keeps what it found in `node_modules/.cache`. */
function checkTypes(name: string, folder: string): Check {
  const found = join(ROOT, 'node_modules/.cache', `${name.replaceAll(' ', '-')}.tsbuildinfo`);
  return {
    name,
    command: 'tsc',
    args: ['--noEmit', '--incremental', '--tsBuildInfoFile', found, '-p', folder],
  };
}

/** Runs one check and prints its output if it fails, or tells something. */
function run({ name, command, args, tells }: Check): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(join(ROOT, 'node_modules/.bin', command), args, { cwd: ROOT });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      console.log(
        `${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
      );
      if (code !== 0 || tells) console.log(output.trimEnd());
      resolve(code === 0);
    });
  });
}

const start = performance.now();
const results = await Promise.all(checks.map(run));
const failed = results.filter((passed) => !passed).length;
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(`${failed === 0 ? 'all is well' : `${failed} of ${checks.length} failed`}, in ${seconds} s`);
if (failed > 0) process.exitCode = 1;
