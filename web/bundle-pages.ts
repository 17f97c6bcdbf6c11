import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The scripts of pages: each folder of `web/` has one, `main.ts`. */
export const PAGE_SCRIPTS = {
  /** Enough for forms, errors and five flows without a framework. */
  account: { file: 'functions/account/assets/account-pages.js', budgetBytes: 3.5 * 1024 },
  /** Enough for buttons that copy. */
  content: { file: 'functions/content/assets/content-pages.js', budgetBytes: 512 },
} as const satisfies Record<string, { file: string; budgetBytes: number }>;

/** Bundles the script of a folder. The same sources give the same bytes. */
export async function bundlePages(
  folder: keyof typeof PAGE_SCRIPTS,
): Promise<{ source: string; gzipBytes: number }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, folder, 'main.ts')],
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
