import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Bundles the package into the folder, readable. `import-in-the-middle` finds its own files by their addresses, so it stays as it is. */
export async function bundlePackage(folder: string): Promise<void> {
  await build({
    entryPoints: ['index', 'register', 'hook'].map((name) => file(`src/${name}.ts`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.15',
    charset: 'utf8',
    tsconfigRaw: {},
    external: ['@opentelemetry/api', 'import-in-the-middle'],
    // Of modules in CommonJS within the bundle.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
  });
}
