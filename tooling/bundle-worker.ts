/** Builds Workers as `wrangler deploy` does, in memory. */
import { type BuildFailure, build } from 'esbuild';
import { ROOT } from './deployment.ts';

export interface BundleOptions {
  /** Modules that stand for others. */
  alias?: Record<string, string>;
  /** Code to run ahead of the module's own. */
  banner?: string;
}

/** Bundles an entry module into one ES module for workerd. Throws an error whose message shows where it broke. */
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
      // workerd has them, where a function's compatibility flags say so.
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
