/** Sends each documented example to the running services: the status must be the documented one, and the answer must match its schema. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { RouteResponse } from '../../lib/http/contract.ts';
import { readContracts } from '../../scripts/openapi/contracts.ts';
import { isLimited } from '../../scripts/openapi/errors.ts';
import { content, services } from '../../scripts/openapi/services.ts';
import { createSamples, type Samples } from '../security/documented-samples.ts';
import { requestOf } from '../security/example-request.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
let sent = 0;
const documented = await Promise.all(
  services.map(async (service) => {
    const contracts = await readContracts(service);
    return contracts.flatMap(({ routes }) => routes.map((route) => ({ ...route, route, service })));
  }),
);

/** The content type of an answer; undefined for an answer without a body. Errors aren't among a route's responses. */
function contentTypeOf(response: RouteResponse | undefined): string | undefined {
  if (response === undefined || response.schema !== undefined) {
    return response?.contentType ?? 'application/json';
  }
  return response.contentType;
}

const mediaType = (contentType: string | null): string | undefined => contentType?.split(';')[0];

describe.each(documented.flat())('$service.name $operationId', ({ route, service }) => {
  let read: Promise<Samples> | undefined;
  /** Examples that only read share their samples; what changes something gets its own. */
  const samplesOf = (): Promise<Samples> => {
    if (route.method !== 'GET') return createSamples(stack().sql);
    read ??= createSamples(stack().sql);
    return read;
  };

  test.each([...route.examples])('$summary is answered with $status', async (example) => {
    const samples = await samplesOf();
    const send = service === content ? stack().fetchContent : stack().fetch;
    const [path, init] = requestOf(route, example, samples);
    // Each example has another address, so that limits don't refuse it because of other examples.
    const response = await send(path, { ...init, address: `192.0.2.${sent++ % 256}` });
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
