/** `npm run generate`: writes every generated file. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { generators } from './generate/generators.ts';

for (const script of generators.filter((candidate) => existsSync(join(ROOT, candidate)))) {
  const { status } = spawnSync(process.execPath, [script], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`${script} failed`);
    process.exitCode = 1;
    break;
  }
}
