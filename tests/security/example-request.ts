/** The request of a documented example, for a new tenant. */
import type { StackRequestInit } from '../../dev/stack.ts';
import type { RouteContract } from '../../lib/http/contract.ts';
import { type RouteExample, SAMPLE } from '../../lib/http/examples.ts';
import type { Samples } from './documented-samples.ts';

/** Replaces the documented values in a text by the tenant's. */
export const withOwnValues = (text: string, { values }: Pick<Samples, 'values'>): string =>
  Object.entries(SAMPLE).reduce(
    (replaced, [name, value]) => replaced.replaceAll(value, values[name as keyof typeof SAMPLE]),
    text,
  );

/** The headers with a tenant's credential for a route. */
export function credentialOf({ auth }: RouteContract, samples: Samples): Record<string, string> {
  if (auth === 'member') return { Authorization: `Bearer ${samples.token}` };
  if (auth === 'ingestKey') return { Authorization: `Bearer ${samples.ingestKey}` };
  if (auth === 'queryToken') return { Authorization: `Bearer ${samples.queryToken}` };
  // The public route for a second factor recognises by the cookie who has given the password.
  return { Cookie: samples.cookie };
}

/** The path and the request, without a client address. */
export function requestOf(
  route: RouteContract,
  example: RouteExample,
  samples: Samples,
): [string, StackRequestInit & { headers: Record<string, string> }] {
  const params: Record<string, string> = { ...SAMPLE, ...example.params };
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = new URLSearchParams(example.query).toString();
  const headers: Record<string, string> = {
    ...credentialOf(route, samples),
    ...(example.unconfirmed === true && { Cookie: samples.unconfirmedCookie }),
    ...(example.body !== undefined && {
      'Content-Type': route.body?.contentTypes?.[0] ?? 'application/json',
    }),
    ...example.headers,
  };
  const body =
    example.body === undefined ? {} : { body: withOwnValues(JSON.stringify(example.body), samples) };
  return [
    withOwnValues(query === '' ? path : `${path}?${query}`, samples),
    { method: route.method, headers, ...body },
  ];
}
