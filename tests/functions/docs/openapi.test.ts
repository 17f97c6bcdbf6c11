/** Compares the documents with the routes of the running apps, and checks them by JSON Schema's own rules. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { isReadByQuery } from '../../../lib/http/contract.ts';
import { type RouteExample, SAMPLE } from '../../../lib/http/examples.ts';
import { readParameters } from '../../../lib/http/url-input.ts';
import { type DocumentedRoute, readContracts } from '../../../scripts/openapi/contracts.ts';
import { buildDocument } from '../../../scripts/openapi/document.ts';
import { errorsOf } from '../../../scripts/openapi/errors.ts';
import { pathInputs } from '../../../scripts/openapi/inputs.ts';
import { convert } from '../../../scripts/openapi/schema.ts';
import { analytics, content, services } from '../../../scripts/openapi/services.ts';
import { ROOT } from '../../../tooling/deployment.ts';

const owned = await Promise.all(
  services.map(async (service) => {
    const contracts = await readContracts(service);
    return { service, contracts, document: buildDocument(service, contracts, '1.0.0') };
  }),
);
const contracts = owned.flatMap(({ service, contracts }) =>
  contracts.map((contract) => ({ ...contract, service })),
);

/** The app of a function: `app.ts` exports one function that creates it. */
async function appOf(fn: string): Promise<Hono> {
  const made = Object.values(await import(join(ROOT, 'functions', fn, 'app.ts')));
  const create = made.find((value): value is () => Hono => typeof value === 'function');
  if (create === undefined) throw new Error(`functions/${fn}/app.ts exports no app`);
  return create();
}

/** The rules that an example's input breaks. */
function issuesOf(route: DocumentedRoute, { params, query = {}, body = {} }: RouteExample) {
  if (route.input === undefined)
    return route.body === undefined ? [] : (v.safeParse(route.body.schema, body).issues ?? []);
  const ids = Object.fromEntries(
    Object.keys(pathInputs(route)).map((name) => [
      name,
      { ...SAMPLE, ...params }[name as keyof typeof SAMPLE],
    ]),
  );
  const given = isReadByQuery(route.method)
    ? readParameters(route.input, new URLSearchParams(query))
    : (body as object);
  return v.safeParse(route.input, { ...given, ...ids }).issues ?? [];
}

/** Methods and paths of a function's public routes. Routes for all methods are middleware, or forward to another function. */
async function registered(fn: string): Promise<string[]> {
  const { routes } = await appOf(fn);
  const own = routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/internal/'));
  return [...new Set(own.map(({ method, path }) => `${method} ${path}`))].sort();
}

test('every function with a public route has a contract', () => {
  const expected = [
    'account',
    'analytics',
    'dashboard',
    'docs',
    'mcp',
    'messages',
    'receiver',
    'script',
    'sdk',
    'sites',
    'telemetry',
    'track',
    'content',
  ].filter((fn) => existsSync(join(ROOT, 'functions', fn, 'app.ts')));
  expect(contracts.map(({ fn }) => fn)).toEqual(expected);
});

describe.each(contracts)('the contract of $fn', ({ fn, routes, service }) => {
  test('has the routes that its app has, and no others', async () => {
    const answered = routes.filter(({ isFile }) => isFile !== true);
    expect(answered.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(await registered(fn));
  });

  test.each(routes)('$operationId: each example keeps to the schemas', (route) => {
    const statuses = [...Object.keys(route.responses).map(Number), ...errorsOf(route, service).keys()];
    expect(route.examples.some(({ status }) => status < 400)).toBe(true);
    for (const example of route.examples) {
      const { summary, status, response } = example;
      expect([summary, statuses]).toEqual([summary, expect.arrayContaining([status])]);
      if (status < 300) {
        expect([summary, issuesOf(route, example)]).toEqual([summary, []]);
      }
      const { schema } = route.responses[status] ?? {};
      if (response !== undefined && schema !== undefined) expect(v.parse(schema, response)).toEqual(response);
    }
  });
});

test.each(owned)(
  '$service.name: a value that stands for a query parameter is of the type that the document gives it',
  ({ document }) => {
    type Parameter = { name: string; schema?: { type?: string; default?: unknown } };
    const { paths, components } = document as {
      paths: Record<string, Record<string, { parameters: Parameter[] }>>;
      components: { parameters: Record<string, Parameter> };
    };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const parameters = [
      ...operations.flatMap((operation) => operation.parameters),
      ...Object.values(components.parameters),
    ];
    const numbers = parameters.filter(({ schema }) => schema?.type === 'integer');
    expect(numbers.map(({ name }) => name)).toContain('limit');
    const given = numbers.map(({ schema }) => schema?.default).filter((value) => value !== undefined);
    expect(new Set(given.map((value) => typeof value))).toEqual(new Set(['number']));
  },
);

test.each(owned)('$service.name: references lead somewhere', ({ document }) => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path.split('/'));
  expect(references.length).toBeGreaterThan(10);
  for (const path of references) {
    const target = path.reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | undefined)?.[key],
      document,
    );
    expect([path, target]).not.toEqual([path, undefined]);
  }
});

test('no route is in both documents, and each names its own errors', async () => {
  const [pathsOf = [], others = []] = owned.map(({ contracts }) =>
    contracts.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`)),
  );
  // Each host has a front page, and an address for agents.
  expect(pathsOf.filter((route) => others.includes(route))).toEqual(['GET /', 'POST /mcp']);
  const [search] = owned[1]?.contracts[0]?.routes ?? [];
  const [sites] = owned[0]?.contracts.find(({ fn }) => fn === 'sites')?.routes ?? [];
  if (search === undefined || sites === undefined) throw new Error('a contract is missing');
  expect(Object.fromEntries(errorsOf(search, content))).toMatchObject({
    400: ['invalid_input', 'invalid_cursor'],
    409: ['revision_changed'],
    503: ['content_unavailable'],
  });
  expect(errorsOf(sites, analytics).get(400)).toEqual(['VALIDATION_ERROR']);
});

describe('a schema that JSON Schema has no words for', () => {
  const opaque = v.check((value: string) => value !== '');
  test('stops the generation', () => {
    expect(() => convert(v.pipe(v.string(), opaque), {})).toThrow(/neither a description/);
    expect(() => convert(v.pipe(v.string(), v.creditCard()), {})).toThrow();
    expect(() => convert(v.date(), {})).toThrow();
  });
  test('passes with a description or a message', () => {
    expect(convert(v.pipe(v.string(), v.description('Odd.'), opaque), {})).toEqual({
      type: 'string',
      description: 'Odd.',
    });
    const rule = v.check((value: string) => value !== '', 'must be odd');
    expect(convert(v.pipe(v.string(), rule), {})).toEqual({ type: 'string', description: 'It must be odd.' });
  });
  test('says by metadata what text stands for', () => {
    const limit = v.pipe(
      v.string(),
      v.metadata({ jsonSchema: { type: 'integer', minimum: 1 } }),
      v.transform(Number),
      v.number(),
    );
    expect(convert(limit, {})).toEqual({ type: 'integer', minimum: 1 });
  });
});
