import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { shorten } from './shorten.ts';
import squeezed from './squeezed.json' with { type: 'json' };
import { weigh } from './weigh.ts';

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
  links: 'src/split/links.ts',
  measure: 'src/split/measure.ts',
  whole: 'src/main.ts',
};

/** Modules that a file has in place of others. A part by itself can't import the core: the core hands over what it needs. */
const CORE = { filter: /^\.\.\/(?:delivery|pages|script|track)\.ts$/, by: 'src/split/core.ts' };
const REPLACED: Partial<Record<TrackerFile, { filter: RegExp; by: string }>> = {
  links: CORE,
  measure: CORE,
  whole: { filter: /^\.\/parts\.ts$/, by: 'src/whole/parts.ts' },
};

/** Gzipped. Peers' scripts weigh 1,896 (Counterscale) to 4,590 (Rybbit); Plausible's with everything 2,694. */
export const BUDGET_BYTES: Record<TrackerFile, number> = {
  core: 1638,
  links: 600,
  measure: 800,
  whole: 2253,
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
export async function joinModules(file: TrackerFile): Promise<string> {
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
export const wrap = (file: TrackerFile, code: string): string =>
  isPart(file) ? code : `{${code.replace(/;$/, '')}}`;

/** Bundles one file: a part as a module, the others as classic scripts. The same sources give the same bytes. */
export async function bundleTracker(file: TrackerFile = 'core'): Promise<TrackerBundle> {
  const source = wrap(file, await shorten(await joinModules(file), squeezed[file]));
  return { file, source, gzipBytes: weigh(source) };
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
