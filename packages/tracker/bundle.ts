import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

/** Gzipped. Peers' scripts weigh 1,896 (Counterscale) to 4,590 (Rybbit). */
export const BUDGET_BYTES = 1638;

/** What a script that reads no more than its tier must not even mention. */
const FORBIDDEN = [
  'document.cookie',
  'cookieStore',
  'sessionStorage',
  'indexedDB',
  'caches.',
  'eval(',
  'Function(',
  'import(',
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
  /** The script as it is served. */
  source: string;
  /** A strong entity tag, in its quotes. */
  etag: string;
  /** Names this content; other content has another. */
  version: string;
  gzipBytes: number;
}

/** Bundles the browser script. The same sources give the same bytes. */
export async function bundleTracker(): Promise<TrackerBundle> {
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2020',
    charset: 'utf8',
    minifySyntax: true,
    tsconfigRaw: {},
  });
  // A second pass over the whole joins what the first keeps apart by file, and puts it all into one function.
  const { code } = await transform(bundled.outputFiles[0]?.text ?? '', {
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    minify: true,
  });
  const source = code.trim();
  const hash = createHash('sha256').update(source).digest('base64url');
  return {
    source,
    etag: `"${hash}"`,
    version: hash.slice(0, 12),
    gzipBytes: gzipSync(source, { level: 9 }).length,
  };
}

/** The rules that a bundle breaks, as sentences; none if it is fit to serve. */
export function findFaults({ source, gzipBytes }: TrackerBundle): string[] {
  const faults = FORBIDDEN.filter((word) => source.includes(word)).map((word) => `tracker.js holds ${word}`);
  if (gzipBytes > BUDGET_BYTES)
    faults.push(`tracker.js: ${gzipBytes} bytes gzipped, over its ${BUDGET_BYTES}`);
  return faults;
}
