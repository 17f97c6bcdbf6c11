/** Decides the steps of a deployment, without carrying them out. */
import { CONTENT_PLACEHOLDER_HOST, type FunctionSpec, PLACEHOLDER_HOST } from '../../tooling/deployment.ts';
import type { EnvKeys } from '../../tooling/read-env-keys.ts';

export interface DeployInput {
  functions: FunctionSpec[];
  /** The parsed `wrangler.toml`. */
  config: RawConfig;
  /** The keys of each function's env schema. */
  envKeys: Record<string, EnvKeys>;
  /** Functions to deploy; empty: all. */
  only: string[];
  /** Address of analytics and tracking; `PUBLIC_URL`, used in `snippet`. */
  main: PublicAddress;
  /** Address of the content service; `CONTENT_URL`. */
  content: PublicAddress;
}

export interface PublicAddress {
  /** The operator's own host, in the operator's zone, if there is one. */
  host: string | undefined;
  /** Needed if there is no own host, since only the operator knows the workers.dev address. */
  url: string | undefined;
}

export type RawConfig = Record<string, unknown> & { env?: Record<string, Record<string, unknown>> };

export interface DeployStep {
  fn: string;
  worker: string;
  /** Names of secrets that the Worker must have. */
  secrets: string[];
  /** Names of variables and secrets that it may have. */
  optional: string[];
  /** Where the function answers: zone routes, its workers.dev address, or nowhere (only bindings and queues). */
  address: string;
  /** The complete configuration for `wrangler deploy`. */
  config: Record<string, unknown>;
}

export interface DeployPlan {
  /** Queues that must exist. */
  queues: string[];
  steps: DeployStep[];
}

/** Throws a sentence for the operator if no plan is possible. */
export function planDeployment(input: DeployInput): DeployPlan {
  const chosen = orderByBindings(input.functions).filter(({ fn }) =>
    input.only.length === 0 ? !isSpareGateway(fn, input.main.host) : input.only.includes(fn),
  );
  const unknown = input.only.filter((fn) => chosen.every((spec) => spec.fn !== fn));
  if (unknown.length > 0) throw new Error(`wrangler.toml has no function named ${unknown.join(', ')}`);
  const queues = chosen.flatMap(({ producers, consumers }) => [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, deadLetterQueue }) => [
      queue,
      ...(deadLetterQueue ? [deadLetterQueue] : []),
    ]),
  ]);
  return { queues: [...new Set(queues)], steps: chosen.map((spec) => planStep(spec, input)) };
}

/** With an own zone its routes dispatch, and the gateway would be a second entrance. */
const isSpareGateway = (fn: string, host: string | undefined): boolean =>
  fn === 'gateway' && host !== undefined;

/**
 * Each function comes after the targets of its service bindings and queues, so that the receiver of a call or message already
 * understands it; otherwise the order of the map. Throws if bindings form a cycle.
 */
export function orderByBindings(functions: FunctionSpec[]): FunctionSpec[] {
  const ordered: FunctionSpec[] = [];
  const visit = (spec: FunctionSpec, path: FunctionSpec[]): void => {
    if (ordered.includes(spec)) return;
    if (path.includes(spec)) {
      throw new Error(`Service bindings in a circle: ${[...path, spec].map(({ fn }) => fn).join(' → ')}`);
    }
    for (const { service } of spec.services) {
      const target = functions.find(({ name }) => name === service);
      if (target === undefined)
        throw new Error(`[env.${spec.fn}] binds ${service}, which is not in wrangler.toml`);
      visit(target, [...path, spec]);
    }
    for (const { queue } of spec.producers)
      for (const reader of functions)
        if (reader !== spec && reader.consumers.some((consumer) => consumer.queue === queue))
          visit(reader, [...path, spec]);
    ordered.push(spec);
  };
  for (const spec of functions) visit(spec, []);
  return ordered;
}

function planStep(spec: FunctionSpec, input: DeployInput): DeployStep {
  const { required, optional } = input.envKeys[spec.fn] ?? { required: [], optional: [] };
  const vars = { ...spec.vars, ...addressVars([...required, ...optional], input) };
  const { routes: _, ...own } = input.config.env?.[spec.fn] ?? {};
  const { env: __, ...shared } = input.config;
  const routes = routesOf(spec, input);
  const workersDev = spec.workersDev && routes.length === 0;
  return {
    fn: spec.fn,
    worker: spec.name,
    secrets: required.filter((key) => !(key in vars)),
    optional: optional.filter((key) => !(key in vars)),
    address: describeAddress(spec, routes),
    config: {
      ...shared,
      ...own,
      main: spec.main,
      ...(spec.assets !== undefined && { assets: { ...(own.assets as object), directory: spec.assets } }),
      vars,
      workers_dev: workersDev,
      // Versions have no addresses of their own: they would lead around the gateway and the zone's routes.
      preview_urls: false,
      // Without `zone_name` wrangler finds the zone of a host.
      ...(routes.length > 0 && { routes }),
    },
  };
}

/** The function's routes on the operator's hosts, without routes for hosts that the operator doesn't have. */
function routesOf(spec: FunctionSpec, { main, content }: DeployInput): string[] {
  const hosts: Record<string, string | undefined> = {
    [PLACEHOLDER_HOST]: main.host,
    [CONTENT_PLACEHOLDER_HOST]: content.host,
  };
  return spec.routes.flatMap((pattern) => {
    const slash = pattern.indexOf('/');
    const host = hosts[pattern.slice(0, slash)];
    return host === undefined ? [] : [host + pattern.slice(slash)];
  });
}

/** The public addresses that a function's schema names. Throws if one is missing. */
function addressVars(keys: readonly string[], { main, content }: DeployInput): Record<string, string> {
  return {
    ...(keys.includes('PUBLIC_URL') && { PUBLIC_URL: urlOf(main, 'VENDOR_HOST', 'PUBLIC_URL', 'gateway') }),
    ...(keys.includes('CONTENT_URL') && {
      CONTENT_URL: urlOf(content, 'CONTENT_HOST', 'CONTENT_URL', 'content'),
    }),
  };
}

function urlOf({ host, url }: PublicAddress, hostName: string, urlName: string, fn: string): string {
  if (url !== undefined) return url;
  if (host !== undefined) return `https://${host}`;
  throw new Error(
    `Set ${hostName} to a host of your zone, or ${urlName} to the address of ${fn}, ` +
      `such as https://vendor-${fn}.<your account>.workers.dev.`,
  );
}

function describeAddress(spec: FunctionSpec, routes: string[]): string {
  if (routes.length > 0) return routes.join(', ');
  return spec.workersDev ? `${spec.name}.<your account>.workers.dev` : 'no public address';
}
