import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Modules that the package replaces: settings come from `init`, parts from the bundle. */
const REPLACED = [
  { filter: /\/script-tag\.ts$/, by: 'src/package/given-settings.ts' },
  { filter: /\/part-file\.ts$/, by: 'src/package/part-chunks.ts' },
];

/** Bundles the package into the folder: `index.js`, with the core and its parts as chunks that load on demand. */
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
        setup: ({ onResolve }) => {
          for (const { filter, by } of REPLACED)
            onResolve({ filter }, () => ({ path: fileURLToPath(new URL(by, import.meta.url)) }));
        },
      },
    ],
  });
}
