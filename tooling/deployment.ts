/** Reads the deployment from `wrangler.toml`. No other module reads that file, but wrangler. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'smol-toml';

export const ROOT = join(import.meta.dirname, '..');
export const CONFIG_PATH = join(ROOT, 'wrangler.toml');

/** The hosts in `wrangler.toml` that stand for the operator's own hosts. */
export const PLACEHOLDER_HOST = 'vendor.example';
export const CONTENT_PLACEHOLDER_HOST = `content.${PLACEHOLDER_HOST}`;

export interface QueueConsumer {
  queue: string;
  maxBatchSize?: number;
  maxBatchTimeout?: number;
  maxRetries?: number;
  deadLetterQueue?: string;
}

export interface ServiceSpec {
  binding: string;
  /** The bound Worker's name. */
  service: string;
  /** The export that is bound; by default the one that the Worker's routes lead to. */
  entrypoint?: string;
}

/** One `[env.<fn>]` of the file. */
export interface FunctionSpec {
  /** The environment's name: `track`. */
  fn: string;
  /** The Worker's name: `vendor-track`. */
  name: string;
  /** Absolute path of the entry module. */
  main: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
  workersDev: boolean;
  /** Absolute path of the folder with files that the platform serves before it calls the Worker. */
  assets?: string;
  /** Modules that replace others in the bundle. */
  alias: Record<string, string>;
  vars: Record<string, string>;
  /** Edge patterns, `host/path*`. */
  routes: string[];
  services: ServiceSpec[];
  producers: { binding: string; queue: string }[];
  consumers: QueueConsumer[];
  crons: string[];
}

/** The used fields of an environment, or of the file's top, whose values environments inherit. */
interface WranglerConfig {
  name?: string;
  main?: string;
  compatibility_date?: string;
  compatibility_flags?: string[];
  workers_dev?: boolean;
  assets?: { directory?: string };
  alias?: Record<string, string>;
  vars?: Record<string, unknown>;
  routes?: (string | { pattern: string })[];
  services?: ServiceSpec[];
  queues?: { producers?: { binding: string; queue: string }[]; consumers?: WranglerConsumer[] };
  triggers?: { crons?: string[] };
}

interface WranglerConsumer {
  queue: string;
  max_batch_size?: number;
  max_batch_timeout?: number;
  max_retries?: number;
  dead_letter_queue?: string;
}

/** Every function of the file, in order. Throws a sentence that names the fault if the file is invalid. */
export function readDeployment(configPath = CONFIG_PATH): FunctionSpec[] {
  const { env = {}, ...top } = parse(readFileSync(configPath, 'utf8')) as WranglerConfig & {
    env?: Record<string, WranglerConfig>;
  };
  return Object.entries(env).map(([fn, config]) =>
    readFunction(dirname(configPath), fn, { ...inherited(top), ...config }),
  );
}

/** What wrangler passes on from the top to environments; bindings and vars aren't. */
const inherited = ({ compatibility_date, compatibility_flags, workers_dev, alias }: WranglerConfig) => ({
  ...(compatibility_date !== undefined && { compatibility_date }),
  ...(compatibility_flags !== undefined && { compatibility_flags }),
  ...(workers_dev !== undefined && { workers_dev }),
  ...(alias !== undefined && { alias }),
});

function readFunction(folder: string, fn: string, config: WranglerConfig): FunctionSpec {
  const { name, main, compatibility_date: compatibilityDate, queues, vars = {} } = config;
  if (!name || !main || !compatibilityDate) {
    throw new Error(`wrangler.toml: [env.${fn}] needs a name, a main and the file a compatibility_date`);
  }
  return {
    fn,
    name,
    main: resolve(folder, main),
    compatibilityDate,
    compatibilityFlags: config.compatibility_flags ?? [],
    workersDev: config.workers_dev === true,
    ...(config.assets?.directory !== undefined && { assets: resolve(folder, config.assets.directory) }),
    alias: { ...config.alias },
    vars: Object.fromEntries(Object.entries(vars).map(([key, value]) => [key, String(value)])),
    routes: (config.routes ?? []).map((route) => (typeof route === 'string' ? route : route.pattern)),
    services: (config.services ?? []).map(({ binding, service, entrypoint }) => ({
      ...{ binding, service },
      ...(entrypoint !== undefined && { entrypoint }),
    })),
    producers: (queues?.producers ?? []).map(({ binding, queue }) => ({ binding, queue })),
    consumers: (queues?.consumers ?? []).map((consumer) => ({
      queue: consumer.queue,
      ...(consumer.max_batch_size !== undefined && { maxBatchSize: consumer.max_batch_size }),
      ...(consumer.max_batch_timeout !== undefined && { maxBatchTimeout: consumer.max_batch_timeout }),
      ...(consumer.max_retries !== undefined && { maxRetries: consumer.max_retries }),
      ...(consumer.dead_letter_queue !== undefined && { deadLetterQueue: consumer.dead_letter_queue }),
    })),
    crons: config.triggers?.crons ?? [],
  };
}
