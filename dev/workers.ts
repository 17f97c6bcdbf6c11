/** Turns the functions of `wrangler.toml` into Workers of one Miniflare instance. */
import { join } from 'node:path';
import type { MiniflareOptions } from 'miniflare';
import { bundleWorker } from '../tooling/bundle-worker.ts';
import { type FunctionSpec, ROOT } from '../tooling/deployment.ts';
import { readEnvKeys } from '../tooling/read-env-keys.ts';

type Worker = MiniflareOptions['workers'][number];
type Bindings = NonNullable<Worker['config']['env']>;
type Triggers = NonNullable<Worker['config']['triggers']>;

const EDGE = 'dev-edge';

export interface WorkersPlan {
  functions: FunctionSpec[];
  /** Vars and secrets. Each function gets those that its env schema names. */
  values: Record<string, string>;
  /** Values of one function alone, which override the others. */
  valuesOf?: (fn: string) => Record<string, string>;
  edgeVars: Promise<Record<string, string>>;
  /** The port of the dev edge in front of the gateway. */
  port: number;
  /** The port of the content service, if it is one of the functions. */
  contentPort: number;
  /** Default: builds from the current sources. */
  bundle?: typeof bundleWorker;
}

/** The dev edges and every function, bundled in parallel. */
export async function planWorkers(plan: WorkersPlan): Promise<Worker[]> {
  const { functions, values, valuesOf, bundle = bundleWorker } = plan;
  const content = functions.find(({ fn }) => fn === 'content');
  return Promise.all([
    planEdge(plan, bundle),
    ...(content === undefined ? [] : [planContentEdge(content, plan.contentPort, bundle)]),
    ...functions.map((spec) => planWorker(spec, { ...values, ...valuesOf?.(spec.fn) }, bundle)),
  ]);
}

async function planEdge(
  { functions, port, edgeVars }: WorkersPlan,
  bundle: typeof bundleWorker,
): Promise<Worker> {
  const gateway = functions.find(({ fn }) => fn === 'gateway');
  if (gateway === undefined) throw new Error('wrangler.toml has no [env.gateway]');
  const [code, values] = await Promise.all([bundle(join(ROOT, 'dev/edge/index.ts')), edgeVars]);
  return {
    config: {
      name: EDGE,
      compatibilityDate: gateway.compatibilityDate,
      manifest: asManifest(code),
      env: { GATEWAY: { type: 'worker', worker: gateway.name }, ...asText(values) },
    },
    // Miniflare's own port has one more Worker in front, which costs as much as a page view's own work.
    dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port }] },
  };
}

async function planContentEdge(
  content: FunctionSpec,
  port: number,
  bundle: typeof bundleWorker,
): Promise<Worker> {
  return {
    config: {
      name: `${EDGE}-content`,
      compatibilityDate: content.compatibilityDate,
      manifest: asManifest(await bundle(join(ROOT, 'dev/edge/content-edge.ts'))),
      env: { CONTENT: { type: 'worker', worker: content.name } },
    },
    dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port }] },
  };
}

async function planWorker(
  spec: FunctionSpec,
  values: Record<string, string>,
  bundle: typeof bundleWorker,
): Promise<Worker> {
  const [code, keys] = await Promise.all([
    bundle(spec.main, { alias: spec.alias, banner: prefixConsole(spec.fn) }),
    readEnvKeys(spec, bundle),
  ]);
  const allowed = [...keys.required, ...keys.optional].filter((key) => key in values);
  const env: Bindings = {
    ...asText(spec.vars),
    ...asText(Object.fromEntries(allowed.map((key) => [key, values[key] ?? '']))),
  };
  for (const { binding, service, entrypoint } of spec.services)
    env[binding] = { type: 'worker', worker: service, ...(entrypoint && { exportName: entrypoint }) };
  for (const { binding, queue } of spec.producers) env[binding] = { type: 'queue', name: queue };
  return {
    config: {
      name: spec.name,
      compatibilityDate: spec.compatibilityDate,
      compatibilityFlags: spec.compatibilityFlags,
      manifest: asManifest(code),
      env,
      ...(spec.assets !== undefined && {
        assets: { directory: spec.assets, hasUserWorker: true, htmlHandling: 'none' as const },
      }),
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

/** Code before a Worker's own code that puts the function's name in front of each log line. */
function prefixConsole(fn: string): string {
  return `for (const level of ['debug', 'info', 'log', 'warn', 'error']) {
  const write = console[level].bind(console);
  console[level] = (...parts) => write('${fn.padEnd(9)} |', ...parts);
}`;
}
