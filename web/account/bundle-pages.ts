import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Gzipped bytes: enough for forms, errors and five flows without a framework. */
export const BUDGET_BYTES = 3.5 * 1024;

/** Bundles the script of the account pages. The same sources give the same bytes. */
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
