import type { FunctionContract } from './contracts.ts';
import { operationOf } from './operation.ts';
import { convertNamed, type NamedSchemas } from './schema.ts';
import type { Service } from './services.ts';
import { shareRepeated } from './share-repeated.ts';

/** A path in OpenAPI's form: `/api/v1/sites/:siteId` becomes `/api/v1/sites/{siteId}`. */
export const openapiPath = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}');

/**
 * The OpenAPI 3.1 document of a service, from its functions' contracts. Throws if two operations have the same name, or the same method
 * and path.
 */
export function buildDocument(
  service: Service,
  contracts: readonly FunctionContract[],
  version: string,
): object {
  const named: NamedSchemas = Object.assign(
    { Error: service.errorBody },
    ...contracts.map(({ components }) => components ?? {}),
  );
  const routes = contracts.flatMap((contract) => contract.routes);
  requireUnique(routes.map(({ operationId }) => operationId));
  requireUnique(routes.map(({ method, path }) => `${method} ${path}`));
  const paths: Record<string, Record<string, object>> = {};
  const operations = routes.map((route) => operationOf(route, named, service));
  const shared = shareRepeated(operations);
  for (const [index, { method, path }] of routes.entries()) {
    const template = openapiPath(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: operations[index] ?? {} };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: service.title,
      version: service.version ?? version,
      description: service.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      ...(routes.some(({ auth }) => auth !== 'public') && { securitySchemes }),
      headers: headersFor(service),
      ...shared,
      schemas: convertNamed(named),
    },
  };
}

const securitySchemes = {
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'vapi_<43 characters><6-character checksum>',
    description: 'An API token: made by `POST /api/v1/account/api-keys`, shown once.',
  },
  ingestKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ving_<43 characters><6-character checksum>',
    description: 'An environment’s ingest key: it sends, and reads nothing.',
  },
  queryToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'vqry_<43 characters><6-character checksum>',
    description: 'A query token, for agents: made by `POST /api/v1/account/query-tokens`, shown once.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-vendor.session_token',
    description: 'Set by `/api/auth/sign-in`. Over plain HTTP, as on one’s own machine, without `__Host-`.',
  },
};

const headersFor = ({ limit }: Service) => ({
  RequestId: {
    description: 'Names the request in our log. The caller’s own `X-Request-Id` if that was short and plain.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: `Requests left and seconds until the window ends: \`"${limit}";r=59;t=42\`.`,
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: `Quota and window in seconds: \`"${limit}";q=60;w=60\`.`,
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Whole seconds to wait.', schema: { type: 'integer', minimum: 1 } },
});

function requireUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} is in the contracts twice.`);
}
