import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { VERSION } from '../../lib/version.ts';
import { ROOT } from '../../tooling/deployment.ts';

/** What each upload of this checkout is called at the provider: `vendor 0.2.0 (80eda98)`. Rollback finds the release before by it. */
export async function readReleaseLabel(): Promise<string> {
  const git = (args: string[]): Promise<string> =>
    promisify(execFile)('git', args, { cwd: ROOT }).then(
      ({ stdout }) => stdout.trim(),
      () => '',
    );
  const [commit, changes] = await Promise.all([
    git(['rev-parse', '--short', 'HEAD']),
    git(['status', '--porcelain', '--untracked-files=no']),
  ]);
  return `vendor ${VERSION}${commit && ` (${commit}${changes && ', changed'})`}`;
}
