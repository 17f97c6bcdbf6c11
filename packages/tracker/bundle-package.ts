import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Of the script, what a package does otherwise: settings come from `init`, parts from the bundle. */
const REPLACED = /^\.\.?\/(?:script|parts)\.ts$/;

/** Bundles the package into the folder: `index.js`, with the core and its parts as chunks that load when they are needed. */
export async function bundlePackage(folder: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('src/package/index.ts', import.meta.url))],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    tsconfigRaw: {},
    plugins: [
      {
        name: 'package',
        setup: ({ onResolve }) =>
          onResolve({ filter: REPLACED }, ({ path }) => ({
            path: fileURLToPath(new URL(`src/package/${path.split('/').at(-1)}`, import.meta.url)),
          })),
      },
    ],
  });
}
