/** Runs once, before the first file that needs the service: bundles the Workers for all stacks of the run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { planWorkers } from '../../dev/workers.ts';
import { bundleWorker } from '../../tooling/bundle-worker.ts';
import { readDeployment } from '../../tooling/deployment.ts';
import { bundleKey } from './bundles.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file with the bundles, by `bundleKey`. */
    bundles?: string;
  }
}

export default async function prepareWorkers(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject();
  // Another project of this run has done this already.
  if (run.getProvidedContext().bundles !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'vendor-test-'));
  const path = join(folder, 'bundles.json');
  await writeBundles(path);
  run.provide('bundles', path);
  project.onTestsRerun(() => writeBundles(path));
  return () => rm(folder, { recursive: true });
}

async function writeBundles(path: string): Promise<void> {
  const bundles: Record<string, string> = {};
  const bundle: typeof bundleWorker = async (entry, options) => {
    const code = await minified(await bundleWorker(entry, options));
    bundles[bundleKey(entry, options)] = code;
    return code;
  };
  const edgeVars = Promise.resolve({});
  await planWorkers({ functions: readDeployment(), values: {}, edgeVars, port: 0, contentPort: 0, bundle });
  await writeFile(path, JSON.stringify(bundles));
}

/** As it is deployed. Miniflare copies all bundles many times while a stack starts, so half as much takes it a quarter less CPU. */
const minified = async (code: string): Promise<string> =>
  (
    await transform(code, {
      minify: true,
      keepNames: true,
      legalComments: 'none',
      target: 'es2024',
      format: 'esm',
    })
  ).code;
