import * as v from 'valibot';
import type { RouteContract } from '../../lib/http/contract.ts';
import { SAMPLE } from '../../lib/http/examples.ts';
import type { DocumentedRoute } from './contracts.ts';
import { errorsOf, isLimited } from './errors.ts';
import { bodyInput, pathInputs, queryInputs } from './inputs.ts';
import { convert, type JsonSchema, type NamedSchemas, type Schema } from './schema.ts';
import type { Service } from './services.ts';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Each of these alone gives access to a route. */
const SCHEMES: Readonly<Record<RouteContract['auth'], readonly string[]>> = {
  member: ['apiToken', 'session'],
  session: ['session'],
  ingestKey: ['ingestKey'],
  queryToken: ['queryToken'],
  public: [],
};

/** One route as an OpenAPI operation. */
export function operationOf(route: DocumentedRoute, named: NamedSchemas, service: Service) {
  const body = bodyInput(route);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: SCHEMES[route.auth].map((scheme) => ({ [scheme]: [] })),
    parameters: [
      ...pathParameters(route, named),
      ...queryParameters(route, named),
      ...headerParameters(route, named),
    ],
    ...(body !== undefined && { requestBody: requestBody(route, body, named) }),
    // A route's own description of an error status takes precedence over the envelope.
    responses: Object.fromEntries([...failures(route, named, service), ...documented(route, named)]),
  };
}

function pathParameters(route: DocumentedRoute, named: NamedSchemas) {
  return Object.entries(pathInputs(route)).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: convert(schema, named),
    ...(name in SAMPLE && { example: SAMPLE[name as keyof typeof SAMPLE] }),
  }));
}

function queryParameters(route: DocumentedRoute, named: NamedSchemas) {
  const { properties = {}, required = [] } = convert(v.strictObject(queryInputs(route)), named) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    // A list is one text, separated by commas.
    ...(schema.type === 'array' && { explode: false }),
  }));
}

const headerParameters = ({ headers = {} }: DocumentedRoute, named: NamedSchemas) =>
  Object.entries(headers).map(([name, { description, schema }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: convert(schema, named),
  }));

function requestBody(route: DocumentedRoute, schema: Schema, named: NamedSchemas): object {
  const contentTypes = route.body?.contentTypes ?? ['application/json'];
  const examples = route.examples
    // Readers copy what they see, so refused requests aren't shown.
    .filter(({ body, status }) => body !== undefined && status < 400)
    .map(({ summary, body }) => [exampleName(summary), { summary, value: body }]);
  const content = {
    schema: convert(schema, named),
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
  return { required: true, content: Object.fromEntries(contentTypes.map((type) => [type, content])) };
}

function documented(route: DocumentedRoute, named: NamedSchemas): [string, { description: string }][] {
  return Object.entries(route.responses).map(([status, { description, schema, contentType }]) => {
    const type = contentType ?? (schema === undefined ? undefined : 'application/json');
    const body = {
      ...(schema !== undefined && { schema: convert(schema, named) }),
      ...responseExamples(route, Number(status)),
    };
    return [
      status,
      {
        description,
        headers: headersOf(route, Number(status)),
        ...(type !== undefined && { content: { [type]: body } }),
      },
    ];
  });
}

function failures(
  route: DocumentedRoute,
  named: NamedSchemas,
  service: Service,
): [string, { description: string }][] {
  return [...errorsOf(route, service)].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: headersOf(route, status),
      content: {
        'application/json': {
          schema:
            route.errorBody === undefined
              ? { $ref: '#/components/schemas/Error' }
              : convert(route.errorBody, named),
          ...responseExamples(route, status),
        },
      },
    },
  ]);
}

function headersOf(route: DocumentedRoute, status: number): object {
  return {
    ...(route.isFile !== true && { 'X-Request-Id': header('RequestId') }),
    ...(isLimited(route) && {
      RateLimit: header('RateLimit'),
      'RateLimit-Policy': header('RateLimitPolicy'),
    }),
    ...((status === 429 || status === 503) && { 'Retry-After': header('RetryAfter') }),
  };
}

function responseExamples(route: DocumentedRoute, status: number): object {
  const examples = route.examples
    .filter((example) => example.status === status && example.response !== undefined)
    .map(({ summary, response }) => [exampleName(summary), { summary, value: response }]);
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}

/** A name as a key: `A new name` becomes `a-new-name`. */
function exampleName(summary: string): string {
  return summary
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
