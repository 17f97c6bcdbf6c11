import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

/** The files that a page may load: the core, the parts that the core requests, and the whole tracker in one file. */
export const FILES = [
  'core',
  'guard',
  'debug',
  'links',
  'measure',
  'association',
  'vitals',
  'whole',
  'compat',
  'peers',
] as const;
export type TrackerFile = (typeof FILES)[number];

/** File names. The core and the whole have the name that the script tag uses. */
export const SERVED_AS: Record<TrackerFile, string> = {
  core: 'tracker.js',
  guard: 'guard.js',
  debug: 'debug.js',
  vitals: 'vitals.js',
  links: 'links.js',
  measure: 'measure.js',
  association: 'association.js',
  whole: 'tracker-all.js',
  compat: 'compat.js',
  peers: 'peers.js',
};

const SOURCES: Record<TrackerFile, string> = {
  core: 'src/main.ts',
  guard: 'src/split/guard-file.ts',
  debug: 'src/split/debug-file.ts',
  vitals: 'src/split/vitals-file.ts',
  links: 'src/split/links-file.ts',
  measure: 'src/split/measure-file.ts',
  association: 'src/split/association-file.ts',
  whole: 'src/main.ts',
  compat: 'src/compat/main.ts',
  peers: 'src/split/peers-file.ts',
};

/** Modules that a file replaces. A part is a separate file and can't import the core, so the core passes what the part needs. */
const CORE = {
  filter: /^\.\.?\/(?:delivery|own|script-tag|track)\.ts$/,
  by: 'src/split/core-handover.ts',
};
const REPLACED: Partial<Record<TrackerFile, { filter: RegExp; by: string }[]>> = {
  guard: [CORE],
  debug: [CORE],
  vitals: [CORE],
  links: [CORE],
  measure: [CORE],
  association: [CORE],
  whole: [
    { filter: /^\.\.?\/load-parts\.ts$/, by: 'src/whole/include-parts.ts' },
    { filter: /^\.\/vitals\.ts$/, by: 'src/whole/later-vitals.ts' },
  ],
};

/** A file that needs more of its budget than this is said. */
export const WARN_SHARE = 0.95;

/** Gzipped bytes. Other trackers' scripts weigh 1,896 (Counterscale) to 4,590 (Rybbit); Plausible's with everything 2,694. */
export const BUDGET_BYTES: Record<TrackerFile, number> = {
  core: 2500,
  guard: 1400,
  debug: 900,
  vitals: 650,
  links: 920,
  measure: 1250,
  association: 1750,
  whole: 3500,
  compat: 900,
  peers: 300,
};

/** Names that the script must not contain, since it reads no more than its tier allows. */
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
  'debugger',
];

/** What may write to the console, in one file each: warnings to the page's author, and what `data-debug` asks for. */
const SAYS: Partial<Record<TrackerFile, string>> = {
  core: 'console.warn(',
  whole: 'console.warn(',
  guard: 'console.warn(',
  debug: 'console.info(',
};

/** What loads parts, in one file each. */
const IMPORTERS: readonly TrackerFile[] = ['core', 'whole', 'guard', 'measure', 'links'];

export interface TrackerBundle {
  file: TrackerFile;
  /** The text of the served script. */
  source: string;
  gzipBytes: number;
}

const pathOf = (source: string): string => fileURLToPath(new URL(source, import.meta.url));

const CLASSIC: readonly TrackerFile[] = ['core', 'whole', 'compat'];

const isPart = (file: TrackerFile): boolean => !CLASSIC.includes(file);

/** Joins the modules of one file, with their names, into one text. */
async function joinModules(file: TrackerFile): Promise<string> {
  const bundled = await build({
    entryPoints: [pathOf(SOURCES[file])],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    minifySyntax: true,
    tsconfigRaw: {},
    // Parts that a part loads: sources are imported as `.ts`.
    external: ['./*.js'],
    plugins: [
      {
        name: 'file',
        setup: ({ onResolve }) => {
          for (const { filter, by } of REPLACED[file] ?? [])
            onResolve({ filter }, () => ({ path: pathOf(by) }));
        },
      },
    ],
  });
  return bundled.outputFiles[0]?.text ?? '';
}

/** A part is already a module with its own scope. A classic script needs a block to keep its names out of the page, and throws nothing into it. */
const wrap = (file: TrackerFile, code: string): string => (isPart(file) ? code : `try{${code}}catch{}`);

/** Bundles one file: a part as a module, the others as classic scripts. The same sources give the same bytes. */
export async function bundleTracker(file: TrackerFile = 'core'): Promise<TrackerBundle> {
  // esbuild declares with `var`, which inside a block would still create a global variable.
  const text = (await joinModules(file)).replace(/^var /gm, 'let ');
  const { code = '' } = await minify(text, {
    ecma: 2020,
    module: true,
    // 2 % smaller than esbuild's minifier: terser also inlines functions that are called once.
    compress: {
      passes: 5,
      unsafe_arrows: true,
      unsafe_methods: true,
      pure_getters: true,
      keep_fargs: false,
      lhs_constants: false,
    },
  });
  const source = wrap(file, code);
  return { file, source, gzipBytes: gzipSync(source, { level: 9 }).length };
}

/** The rules that a bundle breaks, as sentences; empty if it may be served. */
export function findFaults({ file, source, gzipBytes }: TrackerBundle): string[] {
  const faults = FORBIDDEN.filter((word) => source.includes(word)).map((word) => `${file} holds ${word}`);
  if (source.replace(SAYS[file] ?? '', '').includes('console.')) faults.push(`${file} holds console.`);
  if (source.split('import(').length > (IMPORTERS.includes(file) ? 2 : 1)) faults.push(`${file} imports`);
  if (gzipBytes > BUDGET_BYTES[file])
    faults.push(`${file}: ${gzipBytes} bytes gzipped, over its ${BUDGET_BYTES[file]}`);
  return faults;
}
