import { type RouteContract, SAMPLE } from '../../lib/http/contract.ts';
import { errorsOf } from './errors.ts';
import { convert, type JsonSchema, type NamedSchemas } from './schema.ts';
import type { Service } from './services.ts';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** One route as an OpenAPI operation. */
export function operationOf(route: RouteContract, named: NamedSchemas, service: Service): object {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: route.auth === 'public' ? [] : [{ [route.auth]: [] }],
    parameters: [...pathParameters(route, named), ...queryParameters(route, named)],
    ...(route.body !== undefined && { requestBody: requestBody(route, named) }),
    // What a route says of an error status itself goes before the envelope.
    responses: Object.fromEntries([...failures(route, named, service), ...documented(route, named)]),
  };
}

/** The names of a route's path parameters, in their order. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);

function pathParameters(route: RouteContract, named: NamedSchemas): object[] {
  return parameterNames(route.path).map((name) => {
    const schema = route.params?.[name];
    return {
      name,
      in: 'path',
      required: true,
      schema: schema === undefined ? { type: 'string' } : convert(schema, named),
      ...(name in SAMPLE && { example: SAMPLE[name as keyof typeof SAMPLE] }),
    };
  });
}

function queryParameters(route: RouteContract, named: NamedSchemas): object[] {
  if (route.query === undefined) return [];
  const { properties = {}, required = [] } = convert(route.query, named) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const example = route.examples.find(({ status, query }) => status < 400 && query?.[name] !== undefined);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      schema: 'default' in schema ? { ...schema, default: asDocumented(schema, schema.default) } : schema,
      ...(example !== undefined && { example: asDocumented(schema, example.query?.[name]) }),
    };
  });
}

/** Parameters are read as text; where the document says that the text is a number, its values are numbers too. */
const asDocumented = ({ type }: JsonSchema, value: unknown): unknown =>
  type === 'integer' || type === 'number' ? Number(value) : value;

function requestBody(route: RouteContract, named: NamedSchemas): object {
  const { schema, contentTypes = ['application/json'] } = route.body ?? {};
  const examples = route.examples
    .filter(({ body }) => body !== undefined)
    .map(({ summary, body }) => [exampleName(summary), { summary, value: body }]);
  const content = {
    ...(schema !== undefined && { schema: convert(schema, named) }),
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
  return { required: true, content: Object.fromEntries(contentTypes.map((type) => [type, content])) };
}

function documented(route: RouteContract, named: NamedSchemas): [string, object][] {
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

function failures(route: RouteContract, named: NamedSchemas, service: Service): [string, object][] {
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

function headersOf(route: RouteContract, status: number): object {
  return {
    ...(route.isFile !== true && { 'X-Request-Id': header('RequestId') }),
    ...(route.limited && { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') }),
    ...((status === 429 || status === 503) && { 'Retry-After': header('RetryAfter') }),
  };
}

function responseExamples(route: RouteContract, status: number): object {
  const examples = route.examples
    .filter((example) => example.status === status && example.response !== undefined)
    .map(({ summary, response }) => [exampleName(summary), { summary, value: response }]);
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}

/** `A new name` as a key: `a-new-name`. */
function exampleName(summary: string): string {
  return summary
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
