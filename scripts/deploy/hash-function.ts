import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorker } from '../../tooling/bundle-worker.ts';
import { readDeployment } from '../../tooling/deployment.ts';

/** A hash of a function's code and its static files: what an upload of it would change. Needs no wrangler, and so takes no seconds. */
export async function hashFunction(fn: string): Promise<string> {
  const spec = readDeployment().find((candidate) => candidate.fn === fn);
  if (spec === undefined) throw new Error(`wrangler.toml has no function named ${fn}`);
  const hash = createHash('sha256').update(await bundleWorker(spec.main, { alias: spec.alias }));
  if (spec.assets !== undefined) {
    const found = await readdir(spec.assets, { recursive: true, withFileTypes: true });
    const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const path of paths.toSorted())
      hash.update(path.slice(spec.assets.length)).update(await readFile(path));
  }
  return hash.digest('hex');
}
