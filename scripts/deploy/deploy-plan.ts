/** What a deployment does, decided without touching anything. */
import { CONTENT_PLACEHOLDER_HOST, type FunctionSpec, PLACEHOLDER_HOST } from '../../tooling/deployment.ts';
import type { EnvKeys } from '../../tooling/read-env-keys.ts';

export interface DeployInput {
  functions: FunctionSpec[];
  /** The parsed `wrangler.toml`. */
  config: RawConfig;
  /** By function: the keys of its env schema. */
  envKeys: Record<string, EnvKeys>;
  /** Functions to deploy; none named means all. */
  only: string[];
  /** Where analytics and tracking answer; `PUBLIC_URL`, the address in `snippet`. */
  main: PublicAddress;
  /** Where the content service answers; `CONTENT_URL`. */
  content: PublicAddress;
}

export interface PublicAddress {
  /** The operator's own host, in a zone of theirs, if there is one. */
  host: string | undefined;
  /** Needed without a host, where only the operator knows the address. */
  url: string | undefined;
}

export type RawConfig = Record<string, unknown> & { env?: Record<string, Record<string, unknown>> };

export interface DeployStep {
  fn: string;
  worker: string;
  /** Names that must be among the Worker's secrets. */
  secrets: string[];
  /** Where it will answer: zone routes, its workers.dev address, or nothing (bindings and queues only). */
  address: string;
  /** The whole configuration to hand to `wrangler deploy`. */
  config: Record<string, unknown>;
}

export interface DeployPlan {
  /** Queues that must exist. */
  queues: string[];
  steps: DeployStep[];
}

/** Throws a sentence for the operator when the plan can't be made. */
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

/** With a zone of one's own its routes dispatch, and the gateway would be a second way in. */
const isSpareGateway = (fn: string, host: string | undefined): boolean =>
  fn === 'gateway' && host !== undefined;

/**
 * A function after all that its service bindings and its queues lead to, so that whoever is called or reads understands
 * whoever calls or writes; else in the map's order. Throws on a circle.
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
    address: describeAddress(spec, routes),
    config: {
      ...shared,
      ...own,
      main: spec.main,
      ...(spec.assets !== undefined && { assets: { ...(own.assets as object), directory: spec.assets } }),
      vars,
      workers_dev: workersDev,
      // Without `zone_name` wrangler finds the zone that a host belongs to.
      ...(routes.length > 0 && { routes }),
    },
  };
}

/** The function's routes on the operator's hosts; none on a host that the operator hasn't got. */
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

/** Those of the public addresses that a function's schema names. Throws if nobody told them. */
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
