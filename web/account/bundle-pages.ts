import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Gzipped. Without a framework that is what forms, errors and four flows take. */
export const BUDGET_BYTES = 3.25 * 1024;

/** Bundles the script of the account's pages. The same sources give the same bytes. */
export async function bundlePages(): Promise<{ source: string; gzipBytes: number }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    minify: true,
    tsconfigRaw: {},
  });
  const source = outputFiles[0]?.text ?? '';
  return { source, gzipBytes: gzipSync(source, { level: 9 }).length };
}
