import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

/** Each file that a page may load: the core, and the parts that it asks for. */
export const FILES = ['core', 'links', 'measure'] as const;
export type TrackerFile = (typeof FILES)[number];

/** Its name beside the others, of the core the one in the tag. */
export const SERVED_AS: Record<TrackerFile, string> = {
  core: 'tracker.js',
  links: 'links.js',
  measure: 'measure.js',
};

const SOURCES: Record<TrackerFile, string> = {
  core: 'src/main.ts',
  links: 'src/parts/links.ts',
  measure: 'src/parts/measure.ts',
};

/** Gzipped. Peers' scripts weigh 1,896 (Counterscale) to 4,590 (Rybbit). */
export const BUDGET_BYTES: Record<TrackerFile, number> = { core: 1638, links: 620, measure: 970 };

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

/** Bundles one file: the core as a classic script, a part as a module. The same sources give the same bytes. */
export async function bundleTracker(file: TrackerFile = 'core'): Promise<TrackerBundle> {
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL(SOURCES[file], import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2020',
    charset: 'utf8',
    minifySyntax: true,
    tsconfigRaw: {},
  });
  // A second pass over the whole joins what the first keeps apart by file, and puts the core all into one function.
  const { code } = await transform(bundled.outputFiles[0]?.text ?? '', {
    format: file === 'core' ? 'iife' : 'esm',
    target: 'es2020',
    charset: 'utf8',
    minify: true,
  });
  const source = code.trim();
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
