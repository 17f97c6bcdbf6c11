/** Turns the functions of `wrangler.toml` into Workers of one Miniflare instance. */
import { join } from 'node:path';
import type { MiniflareOptions } from 'miniflare';
import { bundleWorker } from '../scripts/lib/bundle.ts';
import { type FunctionSpec, ROOT } from '../scripts/lib/deployment.ts';
import { readEnvKeys } from '../scripts/lib/env-schema.ts';

type Worker = MiniflareOptions['workers'][number];
type Bindings = NonNullable<Worker['config']['env']>;
type Triggers = NonNullable<Worker['config']['triggers']>;

const EDGE = 'dev-edge';

/** The dev edge and every function, bundled side by side. The first Worker is the one that the port leads to. */
export async function planWorkers(
  functions: FunctionSpec[],
  values: Record<string, string>,
  edgeVars: Promise<Record<string, string>>,
): Promise<Worker[]> {
  return Promise.all([planEdge(functions, edgeVars), ...functions.map((spec) => planWorker(spec, values))]);
}

async function planEdge(functions: FunctionSpec[], vars: Promise<Record<string, string>>): Promise<Worker> {
  const gateway = functions.find(({ fn }) => fn === 'gateway');
  if (gateway === undefined) throw new Error('wrangler.toml has no [env.gateway]');
  const [code, values] = await Promise.all([bundleWorker(join(ROOT, 'dev/edge/index.ts')), vars]);
  return {
    config: {
      name: EDGE,
      compatibilityDate: gateway.compatibilityDate,
      manifest: asManifest(code),
      env: { GATEWAY: { type: 'worker', worker: gateway.name }, ...asText(values) },
    },
  };
}

async function planWorker(spec: FunctionSpec, values: Record<string, string>): Promise<Worker> {
  const [code, keys] = await Promise.all([
    bundleWorker(spec.main, { alias: spec.alias, banner: prefixConsole(spec.fn) }),
    readEnvKeys(spec),
  ]);
  const allowed = [...keys.required, ...keys.optional].filter((key) => key in values);
  const env: Bindings = {
    ...asText(spec.vars),
    ...asText(Object.fromEntries(allowed.map((key) => [key, values[key] ?? '']))),
  };
  for (const { binding, service } of spec.services) env[binding] = { type: 'worker', worker: service };
  for (const { binding, queue } of spec.producers) env[binding] = { type: 'queue', name: queue };
  return {
    config: {
      name: spec.name,
      compatibilityDate: spec.compatibilityDate,
      compatibilityFlags: spec.compatibilityFlags,
      manifest: asManifest(code),
      env,
      triggers: spec.consumers.map(({ queue, ...options }): Triggers[number] => ({
        type: 'queue',
        name: queue,
        ...options,
      })),
    },
  };
}

function asManifest(code: string): NonNullable<Worker['config']['manifest']> {
  return {
    mainModule: 'index.js',
    modulesRoot: ROOT,
    modules: { 'index.js': { type: 'esm', contents: code } },
  };
}

function asText(vars: Record<string, string>): Bindings {
  return Object.fromEntries(Object.entries(vars).map(([key, value]) => [key, { type: 'text', value }]));
}

/** Code ahead of a Worker's own that makes each of its log lines begin with the function's name. */
function prefixConsole(fn: string): string {
  return `for (const level of ['debug', 'info', 'log', 'warn', 'error']) {
  const write = console[level].bind(console);
  console[level] = (...parts) => write('${fn.padEnd(9)} |', ...parts);
}`;
}
