/** Ends with 1 if two files of `lib/` and `functions/` have the same name, so that a name says what a file is without its folder. */
import { basename } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { listFiles } from './check-docs/list-files.ts';

/** CONTRIBUTING.md#the-house names these. */
const REPEATED = /^(index|app|env|contract|examples|limits|resources|schemas|en|es|pt)\.ts$|\.generated\./;

const byName = new Map<string, string[]>();
for (const path of (await listFiles(ROOT)).filter((path) => /^(lib|functions)\/.*\.ts$/.test(path))) {
  const name = basename(path);
  if (!REPEATED.test(name)) byName.set(name, [...(byName.get(name) ?? []), path]);
}
for (const paths of byName.values()) {
  if (paths.length === 1) continue;
  console.error(`These files have the same name: ${paths.join(', ')}.`);
  process.exitCode = 1;
}
