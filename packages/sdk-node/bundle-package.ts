import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { packageFolders } from '../../tooling/licences.ts';

export interface BundledFile {
  /** Relative to `dist/`. */
  path: string;
  contents: Uint8Array;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Instrumentation of HTTP requires a package in a way that bundlers don't see. */
const importHidden: Plugin = {
  name: 'import-hidden',
  setup({ onLoad }) {
    onLoad({ filter: /instrumentation-http\/dist\/utils\.mjs$/ }, async ({ path }) => ({
      contents: await replaceIn(
        path,
        'const forwardedParse = __require("forwarded-parse");',
        'import forwardedParse from "forwarded-parse";',
      ),
    }));
  },
};

/** A check of attributes makes a `WeakSet` for each value; only that of an object is ever used. */
const checkLess: Plugin = {
  name: 'check-less',
  setup({ onLoad }) {
    onLoad(
      { filter: /@opentelemetry[\\/]core[\\/]dist[\\/]common[\\/]attributes\.mjs$/ },
      async ({ path }) => ({
        contents: await replaceIn(
          path,
          'return isAnyValueInternal(val, /* @__PURE__ */ new WeakSet());',
          'return isAnyValueInternal(val, typeof val === "object" ? new WeakSet() : undefined);',
        ),
      }),
    );
  },
};

async function replaceIn(path: string, before: string, after: string): Promise<string> {
  const source = await readFile(path, 'utf8');
  const contents = source.replace(before, after);
  if (contents === source) throw new Error(`${path} has changed: it has no "${before}" any more.`);
  return contents;
}

export interface Bundle {
  files: BundledFile[];
  /** Folders of the installed packages that it holds parts of. */
  packages: string[];
}

/** The files of `dist/`, readable, the same on every machine. `import-in-the-middle` finds its own files by their addresses, so it stays outside. */
export async function bundlePackage(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: FOLDER,
    entryPoints: ['index', 'register', 'hook'].map((name) => `src/${name}.ts`),
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.15',
    charset: 'utf8',
    tsconfigRaw: {},
    external: [
      '@opentelemetry/api',
      'import-in-the-middle',
      // Only a detector of hosts imports them, which is left out; esbuild would write them all the same.
      './getMachineId-*',
    ],
    // Of modules in CommonJS within the bundle.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
    plugins: [importHidden, checkLess],
    write: false,
    metafile: true,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  return {
    files: [
      ...outputFiles.map(({ path, contents }) => ({
        path: relative(`${FOLDER}dist`, path).replaceAll(sep, '/'),
        contents,
      })),
      // For TypeScript a type of an ES module can't be had by `require`, although Node.js has its values.
      { path: 'index.d.cts', contents: await readFile(join(FOLDER, 'index.d.ts')) },
    ],
    packages: packageFolders(inputs.map((input) => join(FOLDER, input))),
  };
}
