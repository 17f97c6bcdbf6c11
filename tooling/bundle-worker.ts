/** Builds Workers in memory, like `wrangler deploy`. */
import { type BuildFailure, build } from 'esbuild';
import { ROOT } from './deployment.ts';

export interface BundleOptions {
  /** Modules that replace others. */
  alias?: Record<string, string>;
  /** Code that runs before the module's own code. */
  banner?: string;
}

/** Bundles an entry module into one ES module for workerd. Throws an error whose message names the position of the fault. */
export async function bundleWorker(
  entry: string,
  { alias = {}, banner = '' }: BundleOptions = {},
): Promise<string> {
  try {
    const result = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2024',
      conditions: ['workerd', 'worker', 'browser'],
      sourcemap: 'inline',
      sourcesContent: false,
      absWorkingDir: ROOT,
      alias,
      // workerd provides them if a function's compatibility flags allow that.
      external: ['node:*'],
      banner: { js: banner },
      logLevel: 'silent',
    });
    return result.outputFiles[0]?.text ?? '';
  } catch (error) {
    throw new Error(describeFailure(error as BuildFailure), { cause: error });
  }
}

function describeFailure({ errors, message }: BuildFailure): string {
  if (!Array.isArray(errors)) return message;
  return errors
    .map(({ location, text }) =>
      location ? `${location.file}:${location.line}:${location.column} ${text}` : text,
    )
    .join('\n');
}
