/** Sends each documented example to the running services: the status is the documented one, and the answer keeps to its schema. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { StackRequestInit } from '../../dev/stack.ts';
import type { RouteContract, RouteResponse } from '../../lib/http/contract.ts';
import { type RouteExample, SAMPLE } from '../../lib/http/examples.ts';
import { readContracts } from '../../scripts/openapi/contracts.ts';
import { isLimited } from '../../scripts/openapi/errors.ts';
import { content, services } from '../../scripts/openapi/services.ts';
import { createSamples, type Samples } from '../security/documented-samples.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
let sent = 0;
const documented = await Promise.all(
  services.map(async (service) => {
    const contracts = await readContracts(service);
    return contracts.flatMap(({ routes }) => routes.map((route) => ({ ...route, route, service })));
  }),
);

/** The example's request with what a tenant of its own has in place of what is documented. */
function requestOf(
  route: RouteContract,
  example: RouteExample,
  samples: Samples,
): [string, StackRequestInit] {
  const own = (text: string): string =>
    Object.entries(SAMPLE).reduce(
      (replaced, [name, value]) => replaced.replaceAll(value, samples.values[name as keyof typeof SAMPLE]),
      text,
    );
  const params: Record<string, string> = { ...SAMPLE, ...example.params };
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = new URLSearchParams(example.query).toString();
  const headers = {
    ...(route.auth === 'member' && { Authorization: `Bearer ${samples.token}` }),
    ...(route.auth === 'ingestKey' && { Authorization: `Bearer ${samples.ingestKey}` }),
    // A second factor is asked of who has given a password, which a public route can't know otherwise.
    ...((route.auth === 'session' || route.auth === 'public') && { Cookie: samples.cookie }),
    ...(example.body !== undefined && {
      'Content-Type': route.body?.contentTypes?.[0] ?? 'application/json',
    }),
    ...example.headers,
  };
  const body = example.body === undefined ? {} : { body: own(JSON.stringify(example.body)) };
  // An address of its own, so that no example is refused for the others.
  const address = `192.0.2.${sent++ % 256}`;
  return [own(query === '' ? path : `${path}?${query}`), { method: route.method, headers, ...body, address }];
}

/** What an answer's body is; undefined for one without. Errors aren't listed among a route's responses. */
function contentTypeOf(response: RouteResponse | undefined): string | undefined {
  if (response === undefined || response.schema !== undefined) {
    return response?.contentType ?? 'application/json';
  }
  return response.contentType;
}

const mediaType = (contentType: string | null): string | undefined => contentType?.split(';')[0];

describe.each(documented.flat())('$service.name $operationId', ({ route, service }) => {
  test.each([...route.examples])('$summary is answered with $status', async (example) => {
    const samples = await createSamples(stack().sql);
    const send = service === content ? stack().fetchContent : stack().fetch;
    const response = await send(...requestOf(route, example, samples));
    const text = await response.text();
    expect([response.status, text]).toEqual([example.status, expect.any(String)]);
    const described = route.responses[example.status];
    const type = contentTypeOf(described);
    if (type === undefined) return expect(text).toBe('');
    expect(mediaType(response.headers.get('Content-Type'))).toBe(mediaType(type));
    if (!/[/+]json$/.test(type)) return;
    const body: unknown = JSON.parse(text);
    if (described?.schema === undefined) expect(v.is(route.errorBody ?? service.errorBody, body)).toBe(true);
    else expect(v.parse(described.schema, body)).toEqual(body);
    if (isLimited(route) && example.status < 400)
      expect(response.headers.get('RateLimit')).toMatch(/^"[a-z-]+";r=\d+;t=\d+$/);
  });
});
