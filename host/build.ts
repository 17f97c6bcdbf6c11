/** Bundles all functions for Node.js: the same code as on the edge, what they share once. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { type FunctionSpec, ROOT } from '../tooling/deployment.ts';

export const BUILT_FOLDER = join(ROOT, 'host/dist');

/** Writes `<folder>/<fn>.js` and `<folder>/<fn>-env.js` for each function. Throws esbuild's error. */
export async function buildFunctions(
  functions: readonly FunctionSpec[],
  folder = BUILT_FOLDER,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: functions.flatMap(({ fn, main }) => [
      { in: main, out: fn },
      { in: join(dirname(main), 'env.ts'), out: `${fn}-env` },
    ]),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'node22',
    // As `tooling/bundle-worker.ts`, so that both platforms run the same code.
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    alias: aliasOfAll(functions),
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    absWorkingDir: ROOT,
    logLevel: 'silent',
  });
}

/** One bundle has one list of aliases. */
function aliasOfAll(functions: readonly FunctionSpec[]): Record<string, string> {
  const [first, ...others] = functions.map(({ fn, alias }) => ({ fn, text: JSON.stringify(alias), alias }));
  const other = others.find(({ text }) => text !== first?.text);
  if (other !== undefined)
    throw new Error(`wrangler.toml: [env.${other.fn}] has other aliases than ${first?.fn}`);
  return first?.alias ?? {};
}
