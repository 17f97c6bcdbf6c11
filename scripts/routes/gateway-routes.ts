/** Derives the gateway's dispatch table from the routes in `wrangler.toml`. */
import { type FunctionSpec, PLACEHOLDER_HOST } from '../../tooling/deployment.ts';

export interface GatewayRoute {
  /** The path; with `wildcard`, its beginning. */
  path: string;
  wildcard: boolean;
  /** The gateway's service binding. */
  binding: string;
}

/**
 * The public host's routes in the order in which the edge tries them: exact paths before wildcards, longer paths before shorter ones.
 * Throws if a function with routes has no service binding in `[env.gateway]`.
 */
export function planGatewayRoutes(functions: FunctionSpec[]): GatewayRoute[] {
  const gateway = functions.find(({ fn }) => fn === 'gateway');
  if (gateway === undefined) throw new Error('wrangler.toml has no [env.gateway]');
  const routes = functions.flatMap((spec) =>
    spec.routes
      .filter((pattern) => pattern.startsWith(`${PLACEHOLDER_HOST}/`))
      .map((pattern) => toRoute(pattern.slice(PLACEHOLDER_HOST.length), bindingOf(gateway, spec))),
  );
  return routes.sort((a, b) => Number(a.wildcard) - Number(b.wildcard) || b.path.length - a.path.length);
}

function toRoute(pattern: string, binding: string): GatewayRoute {
  const wildcard = pattern.endsWith('*');
  const path = wildcard ? pattern.slice(0, -1) : pattern;
  if (path.includes('*')) throw new Error(`${pattern}: the edge takes a wildcard only at the end of a path`);
  return { path, wildcard, binding };
}

function bindingOf(gateway: FunctionSpec, spec: FunctionSpec): string {
  // A binding to a named entrypoint is for what isn't public.
  const service = gateway.services.find(
    (candidate) => candidate.service === spec.name && candidate.entrypoint === undefined,
  );
  if (service === undefined) throw new Error(`[env.gateway] needs a service binding for ${spec.name}`);
  return service.binding;
}

export function renderGatewayRoutes(routes: GatewayRoute[]): string {
  const lines = routes.map(
    ({ path, wildcard, binding }) => `  { path: '${path}', wildcard: ${wildcard}, binding: '${binding}' },`,
  );
  return [
    '// Made by `npm run generate` from wrangler.toml: most specific first.',
    'export const routes = [',
    ...lines,
    '] as const;',
    '',
  ].join('\n');
}
