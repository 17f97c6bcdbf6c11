import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_FOLDER } from '../../tooling/local-folder.ts';
import { runWrangler } from '../../tooling/provider/run-wrangler.ts';
import { buildFunction } from '../build/build-function.ts';
import { findBundleFaults } from '../build/bundle-rules.ts';
import type { DeployStep } from './deploy-plan.ts';

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

/** A step and its built module. */
export interface BuiltStep {
  step: DeployStep;
  /** Absolute path. */
  module: string;
}

/** Builds a function, and throws what its bundle must not be. */
export async function buildStep(step: DeployStep): Promise<BuiltStep> {
  const bundle = await buildFunction(step.fn);
  const faults = findBundleFaults(bundle);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { step, module: bundle.module };
}

/** Uploads what was built with its secrets as one version, so that it never runs without them. Throws wrangler's own words. */
export async function deployFunction(
  { step: { fn, worker, config }, module }: BuiltStep,
  { label, secrets, env, timeoutMs }: DeployOptions,
): Promise<void> {
  // A folder for this upload alone: another deployment from this checkout doesn't take its files away.
  await mkdir(LOCAL_FOLDER, { recursive: true });
  const folder = await mkdtemp(join(LOCAL_FOLDER, `deploy-${fn}-`));
  const path = join(folder, 'wrangler.json');
  const secretsPath = join(folder, 'secrets.json');
  // The module is built and minified already.
  const built = { ...config, main: module, no_bundle: true, minify: false };
  const hasSecrets = secrets !== undefined && Object.keys(secrets).length > 0;
  try {
    await writeFile(path, JSON.stringify(built, null, 2));
    if (hasSecrets) await writeFile(secretsPath, JSON.stringify(secrets), { mode: 0o600 });
    const args = ['deploy', '--config', path, '--autoconfig', 'false', '--message', label];
    if (hasSecrets) args.push('--secrets-file', secretsPath);
    const { code, output } = await runWrangler(args, { ...(env && { env }), timeoutMs });
    if (code !== 0)
      throw new Error(
        `${worker} was not deployed; the functions before it are deployed. Mend this and run the same command again:\n${lastLines(output)}`,
      );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const lastLines = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-SHOWN_LINES)
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');
