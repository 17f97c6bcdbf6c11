import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

/** Each file that a page may load: the core, the parts that it asks for, or everything in one. */
export const FILES = ['core', 'links', 'measure', 'whole'] as const;
export type TrackerFile = (typeof FILES)[number];

/** Its name beside the others; of the core and of the whole the one in the tag. */
export const SERVED_AS: Record<TrackerFile, string> = {
  core: 'tracker.js',
  links: 'links.js',
  measure: 'measure.js',
  whole: 'tracker-all.js',
};

const SOURCES: Record<TrackerFile, string> = {
  core: 'src/main.ts',
  links: 'src/split/links-file.ts',
  measure: 'src/split/measure-file.ts',
  whole: 'src/main.ts',
};

/** Modules that a file has in place of others. A part by itself can't import the core: the core hands over what it needs. */
const CORE = {
  filter: /^\.\.\/(?:delivery|page-views|script-tag|track)\.ts$/,
  by: 'src/split/core-handover.ts',
};
const REPLACED: Partial<Record<TrackerFile, { filter: RegExp; by: string }>> = {
  links: CORE,
  measure: CORE,
  whole: { filter: /^\.\/load-parts\.ts$/, by: 'src/whole/include-parts.ts' },
};

/** Gzipped. Peers' scripts weigh 1,896 (Counterscale) to 4,590 (Rybbit); Plausible's with everything 2,694. */
export const BUDGET_BYTES: Record<TrackerFile, number> = {
  core: 1540,
  links: 600,
  measure: 800,
  whole: 2400,
};

/** What a script that reads no more than its tier must not even mention. */
const FORBIDDEN = [
  'document.cookie',
  'cookieStore',
  'sessionStorage',
  'indexedDB',
  'caches.',
  'eval(',
  'Function(',
  'userAgent',
  'platform',
  'hardwareConcurrency',
  'deviceMemory',
  'plugins',
  'canvas',
  'getContext',
  'AudioContext',
  'RTCPeerConnection',
  'getTimezoneOffset',
  'timeZone',
  'geolocation',
  'console.',
  'debugger',
];

export interface TrackerBundle {
  file: TrackerFile;
  /** The script as it is served. */
  source: string;
  gzipBytes: number;
}

const pathOf = (source: string): string => fileURLToPath(new URL(source, import.meta.url));

const isPart = (file: TrackerFile): boolean => file === 'links' || file === 'measure';

/** The modules of one file in one text, with their names. */
async function joinModules(file: TrackerFile): Promise<string> {
  const replaced = REPLACED[file];
  const bundled = await build({
    entryPoints: [pathOf(SOURCES[file])],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    minifySyntax: true,
    tsconfigRaw: {},
    plugins: [
      {
        name: 'file',
        setup: ({ onResolve }) => {
          if (replaced) onResolve({ filter: replaced.filter }, () => ({ path: pathOf(replaced.by) }));
        },
      },
    ],
  });
  return bundled.outputFiles[0]?.text ?? '';
}

/** A part is a module already. A block keeps the names of a classic script to itself, and so does a module its own. */
const wrap = (file: TrackerFile, code: string): string =>
  isPart(file) ? code : `{${code.replace(/;$/, '')}}`;

/** Bundles one file: a part as a module, the others as classic scripts. The same sources give the same bytes. */
export async function bundleTracker(file: TrackerFile = 'core'): Promise<TrackerBundle> {
  // esbuild declares with `var`, which in a block would be a variable of the window.
  const text = (await joinModules(file)).replace(/^var /gm, 'let ');
  const { code = '' } = await minify(text, {
    ecma: 2020,
    module: true,
    // 2 % smaller than esbuild's own: it also puts functions that are called once where they are called.
    compress: {
      passes: 5,
      unsafe_arrows: true,
      unsafe_methods: true,
      pure_getters: true,
      booleans_as_integers: true,
    },
  });
  const source = wrap(file, code);
  return { file, source, gzipBytes: gzipSync(source, { level: 9 }).length };
}

/** The rules that a bundle breaks, as sentences; none if it is fit to serve. */
export function findFaults({ file, source, gzipBytes }: TrackerBundle): string[] {
  const faults = FORBIDDEN.filter((word) => source.includes(word)).map((word) => `${file} holds ${word}`);
  // The core fetches its parts; nothing else fetches code.
  if (source.split('import(').length > (file === 'core' ? 2 : 1)) faults.push(`${file} imports`);
  if (gzipBytes > BUDGET_BYTES[file])
    faults.push(`${file}: ${gzipBytes} bytes gzipped, over its ${BUDGET_BYTES[file]}`);
  return faults;
}
