import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { ROOT } from '../../tooling/deployment.ts';
import { runWrangler } from '../../tooling/provider/run-wrangler.ts';
import type { Bundle } from './bundle-rules.ts';
import { isBuilt, rememberBuild } from './last-build.ts';

/**
 * Builds one function into `<outdir>/index.js`, the bytes that are deployed. What is there already and is built from the same files
 * stays. Throws wrangler's own message on failure.
 */
export async function buildFunction(fn: string, outdir = join(ROOT, 'dist', fn)): Promise<Bundle> {
  if (!(await isBuilt(outdir))) await build(fn, outdir);
  const module = join(outdir, 'index.js');
  const bundle = await readFile(module, 'utf8');
  const meta = JSON.parse(await readFile(join(outdir, 'bundle-meta.json'), 'utf8')) as esbuild.Metafile;
  const outputs = Object.values(meta.outputs);
  const imports = outputs.flatMap((file) => file.imports);
  return {
    fn,
    module,
    code: bundle,
    inputs: Object.keys(meta.inputs).map((input) => relative(ROOT, resolve(ROOT, input))),
    sources: outputs.flatMap((file) =>
      Object.entries(file.inputs).flatMap(([input, { bytesInOutput }]) =>
        bytesInOutput > 0 ? resolve(ROOT, input) : [],
      ),
    ),
    externals: imports.filter(({ external }) => external).map(({ path }) => path),
    hasEval: await callsEval(bundle),
    gzipBytes: gzipSync(bundle, { level: 9 }).length,
  };
}

async function build(fn: string, outdir: string): Promise<void> {
  const { code, output } = await runWrangler([
    ...['deploy', '--env', fn, '--dry-run', '--outdir', outdir],
    ...['--metafile', join(outdir, 'bundle-meta.json'), '--autoconfig', 'false'],
  ]);
  if (code !== 0) throw new Error(`${fn}: wrangler can't build it\n${output}`);
  await rememberBuild(outdir);
}

/** Whether the code calls `eval`, found by a parser. */
export async function callsEval(contents: string): Promise<boolean> {
  const { warnings } = await esbuild.build({
    stdin: { contents },
    bundle: true,
    packages: 'external',
    external: ['node:*'],
    format: 'esm',
    write: false,
    logLevel: 'silent',
    logOverride: { 'direct-eval': 'warning' },
  });
  return warnings.some(({ id }) => id === 'direct-eval');
}
