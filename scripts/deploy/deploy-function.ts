import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';
import { LOCAL_FOLDER } from '../../tooling/local-folder.ts';
import { runWrangler } from '../../tooling/provider/run-wrangler.ts';
import { buildFunction } from '../build/build-function.ts';
import { findBundleFaults } from '../build/bundle-rules.ts';
import type { DeployStep } from './deploy-plan.ts';

const FOLDER = join(ROOT, 'dist/deploy');
const SHOWN_LINES = 20;

export interface DeployOptions {
  /** What the upload is called at the provider. */
  label: string;
  /** Secrets that the new version gets beside those that the Worker has already. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** Variables of wrangler: whose account it is. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  timeoutMs?: number | undefined;
}

/** Builds a function as wrangler would, and throws what its bundle must not be. */
export async function checkBundle({ fn }: DeployStep): Promise<void> {
  const faults = findBundleFaults(await buildFunction(fn));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Uploads one function with its secrets as one version, so that it never runs without them. Throws wrangler's own words. */
export async function deployFunction(
  { fn, worker, config }: DeployStep,
  { label, secrets, env, timeoutMs }: DeployOptions,
): Promise<void> {
  await Promise.all([FOLDER, LOCAL_FOLDER].map((folder) => mkdir(folder, { recursive: true })));
  const path = join(FOLDER, `${fn}.json`);
  const secretsPath = join(LOCAL_FOLDER, `${fn}.secrets.json`);
  await writeFile(path, JSON.stringify(config, null, 2));
  const hasSecrets = secrets !== undefined && Object.keys(secrets).length > 0;
  try {
    if (hasSecrets) await writeFile(secretsPath, JSON.stringify(secrets), { mode: 0o600 });
    const args = ['deploy', '--config', path, '--autoconfig', 'false', '--message', label];
    if (hasSecrets) args.push('--secrets-file', secretsPath);
    const { code, output } = await runWrangler(args, { ...(env && { env }), timeoutMs });
    if (code !== 0)
      throw new Error(
        `${worker} was not deployed; the functions before it are deployed. Mend this and run the same command again:\n${lastLines(output)}`,
      );
  } finally {
    await rm(secretsPath, { force: true });
  }
}

const lastLines = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-SHOWN_LINES)
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');
