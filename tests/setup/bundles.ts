import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { type BundleOptions, bundleWorker } from '../../tooling/bundle-worker.ts';

export const bundleKey = (entry: string, options: BundleOptions = {}): string =>
  JSON.stringify([entry, options]);

let bundles: Promise<Record<string, string>> | undefined;

/** The bundle from the start of the run. Makes a new one for an entry that wasn't bundled then. */
export const readBundle: typeof bundleWorker = async (entry, options) => {
  bundles ??= readBundles();
  return (await bundles)[bundleKey(entry, options)] ?? bundleWorker(entry, options);
};

async function readBundles(): Promise<Record<string, string>> {
  const path = inject('bundles');
  if (path === undefined) throw new Error('A file that needs the service is named *.service.test.ts');
  return JSON.parse(await readFile(path, 'utf8'));
}
